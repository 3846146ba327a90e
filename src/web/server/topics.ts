/** What tabs watch. */
import type { Places } from "../../client/paths.ts";
import type { RuntimeDir } from "../../client/runtime-dir.ts";
import type { ToPage, Topic } from "../protocol.ts";
import type { Daemon } from "./daemon.ts";

export class Topics {
  constructor(
    readonly places: Places,
    readonly dir: RuntimeDir,
    readonly daemon: Daemon,
    readonly cwd: string,
  ) {}

  watch(_topic: Topic, _since: number | undefined, _send: (message: ToPage) => void): () => void {
    return () => {};
  }
}
