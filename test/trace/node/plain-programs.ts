/** Programs that print what they can see of themselves: their stacks, with columns; made from a seed. */

export interface PlainProgram {
  files: Record<string, string>;
  /** By file: the lines worth a point. */
  lines: Record<string, number>;
}

function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0 || 1;
  return (sides) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % sides;
  };
}

const BODIES = [
  (f: string, g: string) =>
    `function ${f}(a, b = a * 2) { const c = a + b; if (c > 40) { return say(new Error("${f} " + c)); } return ${g}(c, a) + 1; }`,
  (f: string, g: string) =>
    `const ${f} = (a, { length } = "xy") => { let t = 0; for (let i = 0; i < 2; i++) { t += i; } return t + ${g}(a + length); };`,
  (f: string, g: string) =>
    `const ${f} = (a) => a > 30 ? say(new TypeError(\`${f} \${a}\`)) : ${g}(a + 7, 1);`,
  (f: string, g: string) =>
    `class K${f} { #v = 1; constructor(v) { this.#v = v; } get it() { return ${g}(this.#v + 3); } static make(v) { return new K${f}(v).it; } }\nfunction ${f}(a) { return K${f}.make(a); }`,
  (f: string, g: string) =>
    `function* g${f}(a) { yield a; yield ${g}(a + 1); }\nfunction ${f}(a) { let s = 0; for (const one of g${f}(a)) s += Number(one) || 0; return s; }`,
  (f: string, g: string) =>
    `function ${f}(a) { try { if (a % 3 === 0) throw new RangeError("three " + a); return ${g}(a + 2); } catch (e) { say(e); return a; } finally { a++; } }`,
  (f: string, g: string) =>
    `function ${f}(a) {\n  return [a, a + 1].map((x) => x * 2).reduce((x, y) => x + ${g}(y), 0);\n}`,
  (f: string, g: string) =>
    `function ${f}(a) { const o = {}; Error.captureStackTrace(o, ${f}); say(o); return ${g}(a + 9); }`,
  (f: string, g: string) =>
    `function ${f}(a) { const old = Error.prepareStackTrace; Error.prepareStackTrace = (_, s) => s.map((one) => \`\${one.getFunctionName()}:\${one.getLineNumber()}:\${one.getColumnNumber()}\`).join(" "); const text = new Error("x").stack; Error.prepareStackTrace = old; console.log(text); return ${g}(a + 4); }`,
  (f: string, g: string) =>
    `async function p${f}(a) { await null; return say(new Error("later " + a)); }\nfunction ${f}(a) { waits.push(p${f}(a)); return ${g}(a + 5); }`,
];

export function plainProgram(seed: number): PlainProgram {
  const roll = dice(seed * 2654435761);
  const isModule = roll(3) === 0;
  const names = Array.from({ length: 4 + roll(4) }, (_, at) => `f${at}`);
  const parts = names.map((name, at) => {
    const body = BODIES[roll(BODIES.length)] as (f: string, g: string) => string;
    return body(name, names[at + 1] ?? "last");
  });
  const half = 1 + roll(parts.length - 1);
  const own = [
    "const waits = [];",
    "function say(e) { console.log(e.stack); return 1; }",
    "function last(a) { return say(new Error(`last ${a}`)); }",
    ...parts.slice(half).reverse(),
    ...parts.slice(0, half).reverse(),
  ];
  const ends = [
    `console.log(f0(${roll(5)}));`,
    `console.log(Error.prepareStackTrace.length, typeof Error.stackTraceLimit, ${isModule ? "0" : "Object.keys(require.cache).filter((one) => one.startsWith(__dirname)).length"});`,
    roll(2) === 0
      ? "Promise.all(waits).then(() => { null.x; });"
      : `Promise.all(waits).then(() => { process.exitCode = ${roll(9)}; });`,
  ];
  const other = `${isModule ? "export function far" : "exports.far = function far"}(a) { const z = a; return new Error("far " + z).stack; }`;
  const otherName = isModule ? "far.mjs" : "far.cjs";
  const load = isModule
    ? `import { far } from "./${otherName}";`
    : `const { far } = require("./${otherName}");`;
  const text = [load, ...own, "console.log(far(1));", ...ends].join("\n");
  const main = isModule ? "app.mjs" : "app.cjs";
  return {
    files: { [main]: `${text}\n`, [otherName]: `${other}\n` },
    lines: { [main]: text.split("\n").length, [otherName]: 1 },
  };
}
