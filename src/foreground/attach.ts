/** agent attach: a live view of a run. */
import { advice } from "../advice/advice.ts";
import { runToControl } from "../commands/agent/choosing.ts";
import { SondeError } from "../errors.ts";
import { asking, type Terminal } from "./terminal.ts";

interface Arguments {
  source?: string;
  plain?: boolean;
  dir?: string;
}

export async function attach(args: Arguments, terminal: Terminal): Promise<number> {
  const { call } = await runToControl(asking(terminal, args.source), args);
  throw new SondeError("UNSUPPORTED", "this build has no live view", {
    hint: advice`${call("agent watch")} shows events as they come, ${call("agent wait")} what is held`,
  });
}
