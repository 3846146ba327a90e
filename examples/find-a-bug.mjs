// What `npm run demo` does with commands, with the library: orders.js should print 66.50 and prints 76.50. Why?
//   node examples/find-a-bug.mjs
import { fileURLToPath } from "node:url";
import { launch } from "sonde";

const folder = fileURLToPath(new URL("./orders", import.meta.url));

// One call: start it, stop where pieces are counted, see everything.
const session = await launch({ program: "orders.js", cwd: folder, breakpoints: ["orders.js:23"] });
try {
  const { opened } = session;
  if (opened.state !== "stopped") throw new Error(`it did not stop: ${opened.state}`);
  const { frame, values } = opened.snapshot;
  console.log(`stopped in ${frame.function}, line ${frame.line}: pieces = ${valueOf(values, "pieces")}`);

  // One step. The changed value is no number.
  const stepped = await session.next();
  console.log(`after a step: pieces = ${valueOf(stepped.snapshot.values, "pieces")}`);

  // The cause: count was never made a number. Check the idea without changing the program, then let it run out.
  const { value } = await session.print("orders.map(one => typeof one.count)");
  console.log(`the counts are of type ${value}`);

  await session.breakpoints.remove("all");
  const end = await session.continue({ timeout: 10 });
  console.log(`${end.how} with code ${end.exitCode}: ${end.output.lines.map((line) => line.text).join("\n")}`);
  console.log("found: parse() must return Number(count)");
} finally {
  await session.stop();
}

function valueOf(values, name) {
  return values.find((one) => one.name === name)?.value;
}
