/** agent fork: a recorded run again, from one of its calls on with a real provider. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type * as z from "zod";
import type { ForkEdit } from "../agent/replay/fork-edit.ts";
import { runToRead } from "../commands/agent/choosing.ts";
import type { forkArguments } from "../commands/agent/terminal.ts";
import { patterns } from "./replay.ts";
import { needCommand, start } from "./run.ts";
import { asking, type Terminal } from "./terminal.ts";

export async function fork(args: z.infer<typeof forkArguments>, terminal: Terminal): Promise<number> {
  needCommand("agent fork", args.args, `sonde agent fork ${args.source} --at ${args.at} -- claude -p '…'`);
  const { row } = await runToRead(asking(terminal, args.source), args);
  return start(terminal, {
    command: args.args,
    dir: args.dir,
    name: args.name,
    client: undefined,
    upstream: args.upstream,
    hooks: true,
    startPaused: false,
    breakpoints: [],
    quiet: false,
    replay: {
      folder: row.folder,
      ignore: patterns(args.ignore),
      fork: { req: args.at, edit: editOf(args, terminal.cwd) },
    },
  });
}

function editOf({ say, inject, model, body }: z.infer<typeof forkArguments>, cwd: string): ForkEdit {
  return {
    ...(say === undefined ? {} : { lastUserText: say }),
    ...(inject === undefined ? {} : { inject: { role: "user", content: inject } }),
    ...(model === undefined ? {} : { model }),
    ...(body === undefined ? {} : { body: readFileSync(resolve(cwd, body), "utf8") }),
  };
}
