/** `bare-dap <settings as JSON> <source> <line>`: what `sonde start … --break <source>:<line>` does, without Sonde. */
import { writeSync } from "node:fs";
import { end, look, startStopped } from "./dap.mjs";

async function main([settings, source, line]) {
  const started = await startStopped(JSON.parse(settings), source, Number(line));
  const { frames, variables } = await look(started.dap, started.stop);
  const text = variables.map(({ name, value }) => `${name} = ${value}\n`);
  writeSync(1, `stopped at line ${frames[0].line}\n${text.join("")}`);
  await end(started);
  process.exit(0);
}

void main(process.argv.slice(2));
