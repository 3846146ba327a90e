// One run recorded at every hit of a line; then the same program before and after a fix, and where the two part.
//   node examples/trace-and-diff.mjs
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSonde } from "sonde";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "sonde-example-")));
const buggy = join(folder, "orders.js");
const fixed = join(folder, "fixed.js");
cpSync(fileURLToPath(new URL("./orders/orders.js", import.meta.url)), buggy);
writeFileSync(fixed, readFileSync(buggy, "utf8").replace("count };", "count: Number(count) };"));

const sonde = createSonde({ cwd: folder });
try {
  const { trace, hits } = await sonde.trace({
    at: [{ location: "orders.js:23", watch: ["total", "pieces"] }],
    command: ["node", "orders.js"],
  });
  console.log(`${trace.seen} hits, by ${trace.collector}:`);
  for (const hit of hits) console.log(`  ${hit.hit}: ${trace.plan.points[0].expressions.map((name, at) => `${name} = ${hit.values[at]}`).join(", ")}`);

  const { first } = await sonde.diff({ a: ["node", "orders.js"], b: ["node", "fixed.js"], function: ["report"] });
  const [one] = first.differing;
  console.log(`they part in ${first.a.function}, line ${first.a.line}: ${one.name} is ${one.a} in one, ${one.b} in the other`);
} finally {
  await sonde.close();
  rmSync(folder, { recursive: true });
}
