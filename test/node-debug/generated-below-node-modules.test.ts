/** Code that tools make of yours and keep below node_modules; names of files that several have. */
import { resolve } from "node:path";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const SOURCE = `export function total(items: number[]): number {
  let sum = 0;
  for (const one of items) sum += one;
  return sum;
}
console.log(total([1, 2, 4]));
`;

async function generated(sonde: Sonde, folder: string, minify = false): Promise<string> {
  sonde.write("src/cart.ts", SOURCE);
  const { code } = await transform(SOURCE, {
    loader: "ts",
    format: "cjs",
    sourcemap: "inline",
    sourcefile: `${sonde.project}/src/cart.ts`,
    minify,
  });
  sonde.write(`${folder}/cart.js`, code);
  return `${folder}/cart.js`;
}

test.each(["node_modules/.vite-temp", "node_modules/.cache/tool"])(
  "a breakpoint in the source binds in %s",
  async (folder) => {
    const sonde = borrowSonde();
    const file = await generated(sonde, folder);
    sonde.write("run.js", `require("./${file}");\n`);
    const text = await sonde.text(["probe", "src/cart.ts:4", "--", "node", "run.js"]);
    expect(text).toMatch(/src\/cart\.ts:4 in total/);
    expect(text).toMatch(/sum = 7/);
    const traced = await sonde.text(["trace", "--function", "total", "--", "node", "run.js"]);
    expect(traced).toMatch(/total\(items=\[1, 2, 4\]\) {2}src\/cart\.ts:1/);
  },
);

test("minified code is told by the names of its map", async () => {
  const sonde = borrowSonde();
  const file = await generated(sonde, "build", true);
  const text = await sonde.text(["probe", "src/cart.ts:4", "--", "node", file]);
  expect(text).toMatch(/sum = 7/);
  expect(text).toMatch(/items = \[1, 2, 4\]/);
});

test("of several files of one name the best match comes first", async () => {
  const sonde = borrowSonde();
  for (const path of ["api/cart/index.ts", "web/shop/index.ts", "web/user/index.ts"])
    sonde.write(path, SOURCE);
  sonde.write("x.js", "1;\n");
  const { stderr } = await sonde.run(["probe", "packages/web/user/index.ts:2", "--", "node", "x.js"]);
  expect(stderr).toMatch(/did you mean web\/user\/index\.ts:2\?/);
});

test("a file that is imported by an alias of tsconfig's paths binds and is recorded", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "@shop/*": ["src/shop/*"] } } }),
  );
  sonde.write("package.json", JSON.stringify({ type: "module" }));
  sonde.write("src/shop/cart.ts", SOURCE.replace(/console.*\n/, ""));
  sonde.write("src/app.ts", 'import { total } from "@shop/cart";\n\nconsole.log(total([1, 2, 4]));\n');
  const tsx = resolve(import.meta.dirname, "../../node_modules/.bin/tsx");
  const text = await sonde.text(["probe", "src/shop/cart.ts:4", "--", tsx, "src/app.ts"]);
  expect(text).toMatch(/src\/shop\/cart\.ts:4 in total/);
  expect(text).toMatch(/sum = 7/);
  const traced = await sonde.text(["trace", "--function", "total", "--", tsx, "src/app.ts"]);
  expect(traced).toMatch(/total\(items=\[1, 2, 4\]\) {2}src\/shop\/cart\.ts:1/);
});
