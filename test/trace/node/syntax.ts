/** A program with most of what JavaScript can do, which prints what it did. */
export const SYNTAX = `#!/usr/bin/env node
"use strict";
const log = [];
const say = (...words) => void log.push(words.join(" "));
let later;
var one = 1,
  two = one + 1,
  three = two + 1;
function work(x, y = x * 2) {
  if (x > 3) return y;
  else if (y === 2) {
    x++;
  } else say("neither", x);
  for (let i = 0; i < 2; i++) x += i;
  for (const k of [1, 2]) {
    x += k;
    if (k === 1) continue;
  }
  for (const k in { a: 1 }) x += k.length;
  while (x < 12) x += 3;
  do {
    x--;
  } while (x > 8);
  switch (x) {
    case 7:
    case 8:
      x = 2;
      break;
    default:
      x = 5;
  }
  outer: for (;;) {
    for (const never of [1]) {
      if (never) break outer;
    }
  }
  try {
    null.nothing;
  } catch (error) {
    say(error.name);
  } finally {
    say("finally");
  }
  return [
    x,
    y,
  ].join("+");
}
say(work(1), work(4))
say(work(2))
const arrow = (x) => x + 1;
const longer = (x) =>
  x + 1;
const object = (x) => ({
  a: x,
  b: longer(x),
});
say(arrow(1), longer(2), JSON.stringify(object(3)), arrow.name, longer.name)
const text = String(work(1))
  .replace("2", "two")
  .toUpperCase();
const holder = {
  method(a) { return this.value + a; },
  value: 4,
  get twice() {
    return this.value * 2;
  },
  [text.toLowerCase()]: 1,
  nested: { deep: () => "deep" },
};
say(text, holder.method(1), holder.twice, holder.nested.deep(), Object.keys(holder).length);
class Base {
  #secret = 3;
  static made = 0;
  count = arrow(1);
  anonymous = () => "field";
  constructor(start) {
    this.start = start;
    Base.made += 1;
  }
  get secret() {
    return this.#secret;
  }
  peek = (other) => #secret in other;
}
class Cart extends Base {
  static {
    say("static block");
  }
  constructor(...items) {
    super(items.length);
    this.items = items;
  }
  total(rate = 1) {
    let sum = 0;
    for (const item of this.items) {
      const priced = item * rate;
      sum += priced;
    }
    return sum + super.secret;
  }
  *[Symbol.iterator]() {
    yield* this.items;
    const sent = yield "last";
    say("sent", sent);
  }
}
const cart = new Cart(1, 2);
say(cart.total(2), cart.start, cart.count, cart.anonymous.name, cart.peek(cart), Base.made);
const iterator = cart[Symbol.iterator]();
iterator.next();
iterator.next();
iterator.next();
iterator.next("word");
const [first, ...others] = [...cart];
const {
  start,
  missing = arrow(start),
} = cart;
say(first, others.length, start, missing);
function counted() {
  say(arguments.length, new.target === undefined, typeof this);
}
counted(1, 2, 3);
const tagged = (parts, ...values) => parts.raw.join("|") + values;
say(tagged\`a\${
  one
}b\`, \`\${arrow(one)}\`);
function hoisted() {
  return inner();
  function inner() {
    return "inner";
  }
}
say(hoisted(), later ?? "unset", later?.(missing.nothing()));
async function slow(n) {
  await null;
  const got = await Promise.all([n, arrow(n)]);
  for await (const part of got) {
    say("part", part);
  }
  return got.length;
}
async function main() {
  say(await slow(5));
  try {
    await slow(cart.nothing.here);
  } catch ({ message }) {
    say(message);
  }
  const results = [3, 1, 2]
    .map((n) => n * two)
    .filter((n) => {
      return n > 2;
    })
    .sort((a, b) => a - b);
  say(results);
}
(function () {
  say("immediate", three);
})();
main().then(() => {
  console.log(log.join("\\n"));
});
`;
