/** `bare-cdp <program> <line>`: what `sonde start <program> --break <program>:<line>` does, without Sonde. */
import { writeSync } from "node:fs";
import { readValues, startStopped } from "./cdp.mjs";

async function main([program, line]) {
  const { cdp, stop } = await startStopped(program, Number(line));
  const values = await readValues(cdp, stop);
  const text = values.map(({ name, value }) => `${name} = ${value?.description ?? value?.value}\n`);
  writeSync(1, `stopped at line ${stop.callFrames[0].location.lineNumber + 1}\n${text.join("")}`);
  process.exit(0); // ends the program too
}

void main(process.argv.slice(2));
