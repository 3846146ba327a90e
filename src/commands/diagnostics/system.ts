/** system: what Sonde runs on. */
import * as z from "zod";
import { machine } from "../../diagnostics/system/machine.ts";
import { oneLine, sizeText } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";

export const system = command({
  name: "system",
  summary: "show the machine and the versions that Sonde runs with",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    os: z.string(),
    arch: z.string(),
    cpu: z.string().describe("unknown where the system does not say"),
    cores: z.number(),
    memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
    sonde: z.string(),
    node: z.string(),
    cwd: z.string(),
  }),
  mcp: { tool: "diagnose", action: "system" },
  run: async ({ cwd, daemon }) => ({
    ...machine(),
    sonde: daemon.version,
    node: process.version,
    cwd,
  }),
  text: ({ os, arch, cpu, cores, memory, sonde, node, cwd }) =>
    lines(
      `os: ${os} ${arch}`,
      oneLine(`cpu: ${cpu}, ${cores} cores`),
      `memory: ${sizeText(memory.totalBytes)}, ${sizeText(memory.freeBytes)} free`,
      `sonde ${sonde}, node ${node}`,
      oneLine(`folder: ${cwd}`),
    ),
});
