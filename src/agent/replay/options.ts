/** How a recording is served. */
import type { SessionFolder } from "../store/layout.ts";
import type { ForkEdit } from "./fork-edit.ts";
import type { Served } from "./report.ts";

export interface ServeOptions {
  folder: Pick<SessionFolder, "events" | "blobs">;
  /** Any free one if left out. */
  port?: number | undefined;
  /** Where the agent works now. */
  cwd?: string | undefined;
  /** Text that may differ from the recording, beside dates, ids and folders. */
  ignore?: readonly RegExp[] | undefined;
  /** Answers take as long as they took. */
  timed?: boolean | undefined;
  /** With `timed`: 2 is twice as fast. */
  speed?: number | undefined;
  fork?: ForkOptions | undefined;
  /** Told to the user: what of the environment is left out. */
  note?: ((text: string) => void) | undefined;
  onServed?: ((served: Served) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ForkOptions {
  /** The recorded call from which on a real provider answers. */
  req: number;
  /** Its base URL. */
  upstream: string;
  /** The user's, for the proxy and the certificates that it names. */
  env?: NodeJS.ProcessEnv | undefined;
  edit?: ForkEdit | undefined;
}
