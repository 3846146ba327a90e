/** TypeScript programs in which the same few names are declared again and again, each scope printing what they are there. */

/** A small generator of numbers: the same programs in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const NAMES = ["total", "item", "x"];

export interface Shadowed {
  text: string;
  /** Lines (from 1) on which all names are printed: `P<line> total item x`. */
  lines: number[];
}

export function shadowed(seed: number): Shadowed {
  const pick = numbers(seed);
  const out: string[] = [];
  const lines: number[] = [];
  let value = 0;
  let functions = 0;
  const fresh = () => ++value;
  const add = (indent: number, text: string) => out.push(`${"  ".repeat(indent)}${text}`);
  const show = (indent: number) => {
    lines.push(out.length + 1);
    add(indent, `console.log("P${out.length + 1}", ${NAMES.join(", ")});`);
  };
  const name = () => NAMES[pick(NAMES.length)] ?? "x";
  const block = (indent: number, depth: number): void => {
    for (let left = 1 + pick(2); left > 0; left--) {
      const own = name();
      const kind = pick(7);
      if (depth === 0) kind > 3 ? show(indent) : add(indent, `void ${own};`);
      else if (kind === 0) {
        add(indent, "{");
        add(indent + 1, `const ${own}: number = ${fresh()};`);
      } else if (kind === 1)
        add(indent, `for (let ${own} = ${fresh()}, end = ${own} + 1; ${own} < end; ${own}++) {`);
      else if (kind === 2) add(indent, `for (const ${own} of [${fresh()}, ${fresh()}] as number[]) {`);
      else if (kind === 3) add(indent, `try { throw ${fresh()}; } catch (${own}: any) {`);
      else if (kind === 4) {
        add(
          indent,
          `(function f${++functions}(${own}: number, { other = ${own} }: { other?: number } = {}): void {`,
        );
        add(indent + 1, "void other;");
      } else if (kind === 5) add(indent, `[${fresh()}].forEach((${own}: number) => {`);
      else {
        add(indent, "{");
        add(indent + 1, `let [${own}]: number[] = [${fresh()}];`);
        add(indent + 1, `const keep${++functions} = () => ${own};`);
        add(indent + 1, `void keep${functions};`);
      }
      if (depth === 0) continue;
      block(indent + 1, depth - 1);
      show(indent + 1);
      add(indent, kind === 4 ? `})(${fresh()});` : kind === 5 ? "});" : "}");
    }
  };
  for (const one of NAMES) add(0, `let ${one}: number = ${fresh()};`);
  block(0, 3);
  show(0);
  add(0, "export {};");
  return { text: `${out.join("\n")}\n`, lines };
}

/** What the program said at each line, hit by hit. */
export function printed(stdout: string): Map<number, string[][]> {
  const all = new Map<number, string[][]>();
  for (const [, line, values = ""] of stdout.matchAll(/^P(\d+) (.*)$/gm)) {
    const hits = all.get(Number(line)) ?? [];
    all.set(Number(line), [...hits, values.split(" ")]);
  }
  return all;
}

export { NAMES };
