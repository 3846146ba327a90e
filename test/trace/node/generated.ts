/** Functions of random statements on random lines, which log each of their own effects: which line, which variable, which value. */

/** No two effects of a program have the same value. */
const HELPERS = `let count = 0, seed = 1, fuel = 0;
const log = [];
const v = (line, name) => (log.push([line, name, ++count]), count);
const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const more = (line) => (log.push([line, "", ++count]), fuel-- > 0 && next() < 0.6);
function* each(line, name) { while (more(line)) yield v(line, name); }
const keys = (line, name) => more(line) === 0 || Object.fromEntries(Array.from({ length: Math.floor(next() * 4) }, () => ["q" + v(line, name), 1]));
`;

export interface Generated {
  text: string;
  /** The names of its functions. */
  functions: string[];
  /** Their own lines, to show one that fails. */
  source(name: string): string;
}

interface Around {
  depth: number;
  /** The variable that a throw ends in; none: nothing catches it. */
  caught: string | undefined;
  inLoop: boolean;
  inSwitch: boolean;
  label: string | undefined;
}

class Writer {
  lines = [""];
  #seed: number;
  #names = 0;
  /** How often a line ends where it may. */
  #breaks: number;

  constructor(seed: number, breaks: number) {
    this.#seed = seed;
    this.#breaks = breaks;
  }

  random(): number {
    this.#seed = (this.#seed * 1103515245 + 12345) % 2147483648;
    return this.#seed / 2147483648;
  }

  put(text: string): void {
    this.lines[this.lines.length - 1] += text.replaceAll("@", String(this.lines.length));
  }

  gap(): void {
    if (this.random() < this.#breaks) this.newLine();
    else this.put(" ");
  }

  newLine(): void {
    this.lines.push("  ");
  }

  name(kind: string): string {
    return `${kind}${++this.#names}`;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  list(around: Around, most = 4): void {
    const count = 1 + Math.floor(this.random() * most);
    for (let at = 0; at < count; at++) {
      this.statement({ ...around, depth: around.depth - 1 }, true);
      this.gap();
    }
  }

  block(around: Around): void {
    this.put("{");
    this.gap();
    this.list(around, 3);
    this.put("}");
  }

  /** A block, or a statement without one. */
  body(around: Around): void {
    if (this.random() < 0.6) this.block(around);
    else this.statement({ ...around, depth: around.depth - 1 }, false);
  }

  statement(around: Around, isListed: boolean): void {
    const kinds = around.depth <= 0 ? SIMPLE : [...SIMPLE, ...COMPOUND];
    const kind = this.pick(kinds);
    if (kind === "declare" && !isListed) this.simple("assign", around);
    else if (SIMPLE.includes(kind)) this.simple(kind, around);
    else this[kind as "if"](around);
  }

  simple(kind: string, { caught, inLoop, inSwitch, label }: Around): void {
    const target = this.pick(["a", "b"]);
    const assign = `${target} = v(@, "${target}")`;
    const leave: string[] = [];
    if (inLoop) leave.push("continue", "break");
    if (inSwitch) leave.push("break");
    if (label !== undefined) leave.push(`break ${label}`);
    if (caught !== undefined) leave.push(`throw v(@, "${caught}")`);
    const name = this.name("d");
    if (kind === "assign") this.put(`${assign};`);
    else if (kind === "comma") this.put(`${assign}, c = v(@, "c");`);
    else if (kind === "declare") this.put(`const ${name} = v(@, "${name}");`);
    else if (leave.length > 0)
      this.put(`if ((c = v(@, "c")) % 2) { const ${name} = v(@, "${name}"); ${this.pick(leave)}; }`);
    else this.put(`if ((c = v(@, "c")) % 3 === 0) { ${assign}; return; }`);
  }

  if(around: Around): void {
    this.put(`if ((c = v(@, "c")) % 2)`);
    this.gap();
    this.body(around);
    if (this.random() < 0.5) return;
    this.gap();
    this.put("else");
    this.gap();
    this.body(around);
  }

  plain(around: Around): void {
    this.block(around);
  }

  label(around: Around): void {
    const label = this.name("l");
    this.put(`${label}:`);
    this.gap();
    if (this.random() < 0.5) this.block({ ...around, label });
    else this.loop({ ...around, label });
  }

  loop(around: Around): void {
    const inner = { ...around, inLoop: true, inSwitch: false };
    const kind = this.pick(["for", "while", "do", "of", "in"]);
    const name = this.name(kind === "for" ? "i" : kind === "in" ? "k" : "x");
    if (kind === "for") this.put(`for (let ${name} = v(@, "${name}"); more(@); ${name} = v(@, "${name}"))`);
    else if (kind === "while") this.put("while (more(@))");
    else if (kind === "of") this.put(`for (const ${name} of each(@, "${name}"))`);
    else if (kind === "in") this.put(`for (const ${name} in keys(@, "${name}"))`);
    else this.put("do");
    this.gap();
    this.body(inner);
    if (kind !== "do") return;
    this.gap();
    this.put("while (more(@));");
  }

  try(around: Around): void {
    const kind = this.pick(["catch", "bare", "finally", "both"]);
    const name = this.name("e");
    const caught = kind === "finally" ? around.caught : kind === "bare" ? "" : name;
    this.put("try");
    this.gap();
    this.block({ ...around, caught });
    this.gap();
    if (kind === "bare") this.put("catch ");
    else if (kind !== "finally") this.put(`catch (${name}) `);
    if (kind !== "finally") this.block(around);
    if (kind !== "finally" && kind !== "both") return;
    this.gap();
    this.put("finally ");
    // What leaves it there would hide what was on its way.
    this.block({ depth: around.depth, caught: undefined, inLoop: false, inSwitch: false, label: undefined });
  }

  switch(around: Around): void {
    this.put(`switch ((c = v(@, "c")) % 3) {`);
    this.gap();
    for (const head of ["case 0:", "case 1:", "default:"].slice(Math.floor(this.random() * 2))) {
      this.put(`${head} `);
      this.gap();
      this.list({ ...around, inSwitch: true }, 2);
      if (this.random() < 0.5) this.put(`a = v(@, "a"); break;`);
      this.gap();
    }
    this.put("}");
  }
}

const SIMPLE = ["assign", "comma", "declare", "leave"];
const COMPOUND = ["if", "plain", "label", "loop", "try", "switch"];

/** A program of so many functions; it prints, for each of them, all that it logged. */
export function generated(seed: number, functions: number): Generated {
  const writer = new Writer(seed, [0.2, 0.5, 0.8][seed % 3] ?? 0.5);
  const names = Array.from({ length: functions }, (_, at) => `f${at + 1}`);
  const places = new Map<string, [number, number]>();
  writer.lines = HELPERS.split("\n");
  for (const name of names) {
    const first = writer.lines.length;
    writer.put(`function ${name}() {`);
    writer.newLine();
    writer.put("let a = 0, b = 0, c = 0;");
    writer.newLine();
    writer.list({ depth: 3, caught: undefined, inLoop: false, inSwitch: false, label: undefined }, 5);
    writer.newLine();
    writer.put("a = 0;");
    writer.newLine();
    writer.put("}");
    places.set(name, [first - 1, writer.lines.length]);
    writer.newLine();
  }
  writer.put("const all = {};\n");
  for (const name of names) writer.put(`fuel = 12; ${name}(); all.${name} = log.splice(0);\n`);
  writer.put("console.log(JSON.stringify(all));\n");
  const text = writer.lines.join("\n");
  return {
    text,
    functions: names,
    source(name) {
      const [first = 0, last = 0] = places.get(name) ?? [];
      const lines = text.split("\n").slice(first, last);
      return lines.map((line, at) => `${first + at + 1} | ${line}`).join("\n");
    },
  };
}
