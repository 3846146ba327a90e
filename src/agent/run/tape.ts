/** A recording in place of a provider. */

import type { ForkEdit } from "../replay/fork-edit.ts";
import { reportText } from "../replay/report.ts";
import { serveTape } from "../replay/serve.ts";
import type { SessionFolder } from "../store/layout.ts";
import { addressesOf, openaiBase, type Profile, type Upstream } from "./profiles/profile.ts";

export interface Tape {
  folder: SessionFolder;
  timed?: boolean;
  speed?: number;
  ignore?: readonly RegExp[];
  /** From this call on a real provider answers; the first request that it gets may be edited. */
  fork?: { req: number; edit?: ForkEdit };
}

export interface OpenTape {
  upstream: Upstream;
  /** What was served, in words. */
  report(): string;
  close(): Promise<void>;
}

/** `edited`: what a fork sent instead of what the agent wrote, by the number of the call. */
export async function openTape(
  tape: Tape,
  live: Live,
  { cwd, edited, note }: { cwd: string; edited(call: number, body: string): void; note(text: string): void },
): Promise<OpenTape> {
  const { fork, ...rest } = tape;
  const server = await serveTape({
    ...rest,
    cwd,
    note,
    onServed: (served) => {
      if (served.from === "upstream" && served.call !== undefined && served.body !== undefined)
        edited(served.call, served.body);
    },
    ...(fork
      ? { fork: { ...fork, upstream: addressesOf(live.profile, live.upstream)[0], env: live.env } }
      : {}),
  });
  return {
    upstream: {
      anthropic: server.url,
      openai: openaiBase(server.url),
      from: `the recording ${tape.folder.id}`,
    },
    report: () => reportText(server.report()),
    close: () => server.close(),
  };
}

/** Where a run goes on after the recording. */
interface Live {
  profile: Pick<Profile, "wire">;
  upstream: Upstream;
  env: NodeJS.ProcessEnv;
}
