/** Names of the source, wherever a compiler has given variables others: values against what the program prints itself. */
import { buildSync, transformSync } from "esbuild";
import typescript from "typescript5";
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";
import { NAMES, printed, shadowed } from "./shadowed.ts";

const COUNT = Number(process.env.SONDE_PROGRAMS ?? 1);
/** Those that ask the debugger share what they know of names. */
const COLLECTORS: Record<string, string[]> = {
  esbuild: ["node-source", "node-condition"],
  "esbuild, minified": ["node-source", "stops"],
  "tsc to ES5": ["node-source", "stops"],
};

type Compiler = (text: string) => { code: string; map: string };

const ts =
  (target: typescript.ScriptTarget): Compiler =>
  (text) => {
    const made = typescript.transpileModule(text, {
      fileName: "app.ts",
      compilerOptions: {
        target,
        module: typescript.ModuleKind.CommonJS,
        sourceMap: true,
        downlevelIteration: true,
      },
    });
    return { code: made.outputText, map: made.sourceMapText ?? "" };
  };
const esbuild =
  (minify: boolean): Compiler =>
  (text) =>
    transformSync(text, { loader: "ts", format: "cjs", sourcemap: true, sourcefile: "app.ts", minify });
const bundle: Compiler = (text) => {
  const [map, code] = buildSync({
    stdin: { contents: `import "./other"; ${text}`, sourcefile: "app.ts", loader: "ts", resolveDir: "/" },
    bundle: true,
    write: false,
    format: "cjs",
    sourcemap: "external",
    outfile: "/app.js",
    external: ["./other"],
  }).outputFiles;
  return { code: code?.text ?? "", map: map?.text ?? "" };
};
const COMPILERS: Record<string, Compiler> = {
  esbuild: esbuild(false),
  "esbuild, minified": esbuild(true),
  "an esbuild bundle": bundle,
  "tsc to ES5": ts(typescript.ScriptTarget.ES5),
  "tsc to ES2022": ts(typescript.ScriptTarget.ES2022),
};

test.each(Object.entries(COMPILERS))(
  "%s: every name at every line, by every collector",
  async (name, compile) => {
    for (let seed = 1; seed <= COUNT; seed++) {
      const { text, lines } = shadowed(seed * 7919);
      const { code, map } = compile(text);
      const bare = code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
      const programs = new Programs({
        "app.js": `${bare}\n//# sourceMappingURL=app.js.map\n`,
        "app.js.map": map.replace(/"sources":\[[^\]]*\]/, '"sources":["app.ts"]'),
        "app.ts": text,
        "other.js": "",
      });
      for (const collector of COLLECTORS[name] ?? ["node-source"]) {
        const asked = lines.map((at) => ({ file: "app.ts", at, watch: NAMES }));
        const { points, stdout } = await programs.points(asked, { collector });
        const truth = printed(stdout);
        for (const [index, line] of lines.entries()) {
          const seen = points.filter(({ point }) => point === index).map(({ values }) => values);
          const said = truth.get(line) ?? [];
          const wrong = seen.filter((values, hit) =>
            values.some((value, at) => value !== "<unavailable>" && value !== said[hit]?.[at]),
          );
          const where = `seed ${seed}, ${collector}, line ${line}`;
          expect({ where, hits: seen.length, wrong }).toEqual({ where, hits: said.length, wrong: [] });
        }
        const all = points.flatMap(({ values }) => values);
        expect(all.length).toBeGreaterThan(0);
        // Only where the compiler left a variable out, or gave its name to another.
        const missing = all.filter((value) => value === "<unavailable>").length;
        expect(missing).toBeLessThanOrEqual(name.includes("minified") ? all.length / 2 : 0);
      }
    }
  },
);
