/**
 * What a careless rewriting breaks: a program that prints what it did, in CommonJS and, where the language differs, as a module.
 * Few blanks and no semicolons where JavaScript needs none.
 */
export const TRICKY = `"use strict"
const out = []
const say = (...words) => void out.push(words.map(String).join(" "))
const attempt = (what) => { try { return what() } catch (error) { return error.name + ": " + error.message } }
let hits = 0, at = 0
const list = [10, 20, 30]
function pick() {
  return hits++, at += 1, list[at]
}
function bare(n) {
  if (n === 0) return{a: 1}
  if (n === 1) return[1, 2]
  if (n === 2) return\`t\${n}\`
  if (n === 3) return-n
  if (n === 4) return(n)
  if (n === 5) return!n
  if (n === 6) return/re/g
  if (n === 7) return"s"
  if (n === 8) return+n,~n
  if (n === 9) return function(){}
  if (n === 10) return typeof(n)
  if (n === 11) return void(0)
  if (n === 12) return class{}
  if (n === 13) return async()=>{}
  if (n === 14) return.5
  if (n === 15) return/* why */n
  if (n === 16) return;else if (n === 17) return
  else return\u00a0n
}
for (let n = 0; n < 19; n++) say(n, typeof bare(n), JSON.stringify(bare(n)))
say(pick(), hits, at)
function broken(n) {
  return
  (n)()
}
function brokenArrow() {
  return (x) => {}
  [0].map(say)
}
say(broken(1), typeof brokenArrow())
function thrower(n) {
  if (n === 0) throw[1]
  if (n === 1) throw(2)
  if (n === 2) throw{a: 1}
  if (n === 3) throw say("first"),new Error("second")
  throw"s"
}
for (const n of[0, 1, 2, 3, 4]) try { thrower(n) } catch (thrown) { say("caught", thrown.message ?? JSON.stringify(thrown)) }
for (const k in{a: 1, b: 2}) say("key", k)
for (const[k, v]of Object.entries({x: 1})) say("entry", k, v)
for (var i = 0, f = (n) => { say("called", n) }; i < 2; i++, say("update")) f(i)
function cases(value) {
  switch(value) {
    case"a":return 1
    case(1, 2):return[2]
    case new.target:say("target")
    default:return{}
    case-1:
  }
  return"none"
}
say(cases("a"), cases(2), cases(undefined), cases(5), cases(-1))
const one = 1, two = (a) => { say("two", a) }
;[3].forEach(two)
const three = 3, four = () => {}
say(four.name, two.name)
let five = 5, six = function () {}, seven = class {}, { eight } = { eight: 8 }
say(six.name, seven.name, eight)
var assigned = (x) => {}
(0, say)("after an arrow")
class Fields {
  arrow = () => { return this.number }
  ['computed'] = 2
  number = 7
  static made = () => "static"
  static ["x" + 1] = class {}
  #secret = () => {}
  'quoted name' = function () {}
  static async *gen() { yield[1]; yield; yield*[2, 3]; return(4) }
  get secret() { return this.#secret.name }
  set both(value) { this.number = value }
  static { say("static block", new.target) }
}
const fields = new Fields
fields.both = 9
say(fields.arrow(), fields.computed, fields.arrow.name, Fields.made.name, Fields.x1.name, fields.secret, fields["quoted name"].name)
class Derived extends(Fields) {
  constructor(...args) {
    const early = attempt(() => this)
    say(early)
    if (args.length) super(...args);else super()
    this.late = () => super.arrow
    return
  }
}
say(new Derived().number, new (Derived)(1).number, new (class { n = 1 })().n, new Date(0).getTime())
function Old() { if (!new.target) return new Old; this.made = true }
say(Old().made, new Old().made, new Old.prototype.constructor().made)
function defaults({ a = pick(), b: { c = a } = {} } = {}, [d, ...e] = [hits, 2, 3], f = () => [a, c, d, e]) {
  return f().join()
}
say(defaults(), defaults({ a: 1, b: { c: 2 } }, "xyz"))
const swap = () => { let [p, q] = [1, 2]; [p, q] = [q, p]; return[p, q] }
const literal = (x) => ({ x }), nested = (x) => (y) => ({ x, y }), pair = (x) => (say("pair"), x), empty = () => {}
say(swap(), JSON.stringify(literal(1)), JSON.stringify(nested(1)(2)), pair(3), empty(), (() => {})(), (() => ({}))().x)
function* generator(n) {
  const got = yield
  (say)("got", got)
  const sum = 1 + (yield n) + (yield[n])
  const arrow = yield (x) => { }
  say("arrow", arrow)
  try { yield* inner() } finally { say("closed") }
  return sum
}
function* inner() { try { yield 1; yield 2 } catch (error) { say("thrown in", error); yield-1 } }
const steps = generator(5)
say(JSON.stringify([steps.next(), steps.next("g"), steps.next(1), steps.next(2), steps.next("a"), steps.throw("t"), steps.next(), steps.next()]))
for (const x of inner()) { if (x === 1) continue; break }
outer: for (const x of[1, 2]) { for (const y of[1, 2]) { if (y === 2) continue outer; say(x, y); if (x === 2) break outer } }
block: { if (one) break block; say("never") }
if (one) label: for (;;) break label;else say("never")
do hits++; while (hits < 5)
do if (hits++ > 8) break;else continue; while (true) say("same line")
let countdown = 3; while (countdown-->0);
if (countdown) ; else say("never")
var object = { get a() { return 1 }, set a(v) { say("set", v) }, async b() { }, *c() { }, ["d" + 1]: () => {}, e: function () {}, f() { return this.a }, __proto__: { up: 1 } }
object.a = 2
say(object.f(), object.e.name, object.d1.name, object.up, object?.f?.(), object?.g?.(pick()), object.h?.i.j(), delete object.e)
say(attempt(() => { for (const x of object) ; }), attempt(() => { for (const x of object.nothing) ; }), attempt(() => { for (const x of pick()) ; }))
say(attempt(() => { const a = 1, { b } = object.nothing }), attempt(() => { const a = 1, [b] = object }), attempt(() => object.nothing()), attempt(() => { null.x }))
say(attempt(() => { const iterable = { [Symbol.iterator]: () => 1 }; for (const x of iterable) ; }))
const noisy = { log: [], [Symbol.iterator]() { let n = 0; return { next: (...a) => ({ value: n, done: n++ > 2 }), get return() { noisy.log.push("asked"); return () => ({}) } } } }
for (const x of noisy) if (x === 1) break
say(noisy.log, ...noisy, Math.max(...noisy, ...[9],))
say(\`a\${pick()}b\${\`c\${list.map((x) => x + 1)}\`}\`, String.raw\`\\n\${one}\`, ((s, ...v) => s.raw.join() + v)\`x\${1}y\`.length, \`\`)
const regexp = 4 / 2 / 1, tested = /[/]\\/(?<n>a)/u.test("//a")
say(regexp, tested, list.length / 3 / 1, one ? .5 : 1, one?-1:+1, - -one, + +one, typeof typeof one, !(!one), one in[1, 2], void 0 ?? "nullish")
function finals(n) {
  for (;;) try { if (n) return"try"; throw 1 } catch { if (n === 0) return"catch" } finally { if (n === 2) return"finally"; if (n === 3) break }
  return"after"
}
say(finals(0), finals(1), finals(2), finals(3))
function hoisted() { return early(); function early() { return typeof later } var later = 1 }
function sameNames(a) { var b = 1; function b() {} { function c() {} } return typeof a + typeof b }
say(hoisted(), sameNames(1), hoisted.length, defaults.length, pick.name, (function () { return typeof this })(), (function (a) { a = 2; return arguments[0] })(1))
var recursive = function fact(n) { return n < 2 ? 1 : n * fact(n - 1) }
say(recursive(5), recursive.name, eval("var inEval = one; inEval + 1"), [..."ab"].entries().next().value, [, 1].length, { ...{ z: 1 } }.z)
async function waits(x) {
  const a = await(x), b = await[1], c = (await x) + await x
  for await(const part of[1, Promise.resolve(2)]) { say("part", part); if (part === 2) continue }
  for await (const part of Fields.gen()) say("gen", part)
  try { await Promise.reject(new Error("late")) } catch (error) { say(error.message) } finally { await null }
  if (a) return await x, say("returning"), await c
  return
}
const asynchronous = async x => await x, asyncPair = async (a, b = 2) => ({ a, b: await b }), async = (x) => x
say(async(1), asynchronous.name)
const order = []
const racing = async (name, times) => { for (let n = 0; n < times; n++) { order.push(name + n); await n } return name }
async function main() {
  say(await waits(4), await asynchronous(2), JSON.stringify(await asyncPair(1)))
  say(await Promise.all([racing("a", 3), racing("b", 4), (async () => { for await (const x of[1, 2, 3]) order.push("c" + x) })()]), order)
  const seen = []
  setTimeout(() => seen.push("timer"), 0); await new Promise((done) => setImmediate(() => setTimeout(done, 1))); say(seen)
}
main().then(() => console.log(out.join("\\n")), (error) => console.log("failed", error.message)).finally(() => { process.exitCode = 3 })
`;

/** What only a sloppy script may do. */
export const SLOPPY = `var out = [], say = (...words) => void out.push(words.join(" "))
with ({ x: 1, say }) { say(x); var inside = (() => x)(); (function () { say("in", x) })() }
with (new Proxy({}, { has: (_, key) => key !== "Math" && key !== "kept", get: (_, key) => typeof key === "string" ? key : undefined })) kept = Math.max(1, 2) + anything
say(kept, inside)
function mapped(a) { arguments[0] = 2; return a }
function twice() { return 1 } function twice() { return 2 }
function outer(a) { function b() { return 1 } function b() { return a } function a() {} return typeof b() }
function evals() { function g() { return 1 } eval("var g = 5"); return g }
if (true) function conditional() { return"c" }
var let = 1, yield_ = 2, async = 3, of = [4], get = 5, static = 6
for (var of of of) say(of)
label: function labelled() {}
say(mapped(1), twice(), outer(1), evals(), conditional(), let + async + get + static, typeof this, this === module.exports, arguments.length)
var o = { async: 1, await: 2, get: 3, set: 4, static: 5, new: 6, typeof: 7 }
say(o.async + o.await + o.get + o.set + o.static + o.new + o.typeof)
function asm(stdlib) { "use asm"; function add(a, b) { a = a | 0; b = b | 0; return(a + b) | 0 } return{ add: add } }
say(asm({}).add(1, 2)); <!-- a comment
--> another
var x = 3; while (x --> 0) say(x)
console.log(out.join("\\n"))
return
(say)()
`;

export const MODULE = `import { readFileSync as read } from "node:fs"
import * as self from "./app.mjs"
export default(() => {})
export const a = 1, b = () => {}
export { c as "a name", d }
var c = await(async () => 3)()
let d; ({ d } = { d: await 4 })
export function e() { return import.meta.url.length > 0 }
export class F { static x = await_ ; }
var await_
console.log(Object.keys(self).join(), self.default.name, b.name, c, d, e(), typeof read, this)
for await (const x of[1, (await 2)]) console.log(x)
throw new RangeError("the end")
`;
