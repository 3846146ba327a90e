/** How an attached process survives the death of its debugger: see relay.cjs. */
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isExecutable } from "../kit/find.ts";
import { asset } from "./assets.ts";

export interface Relay {
  /** Makes LLDB start our relay in place of its server. */
  env: Record<string, string>;
  /** LLDB has started it. */
  done(): void;
}

const NONE: Relay = { env: {}, done: () => {} };

/** Only Linux's debuggers work by a server that writes into the program's code. */
export function relayFor(lldbDap: string): Relay {
  const server = join(dirname(realpathSync(lldbDap)), "lldb-server");
  if (process.platform !== "linux" || !isExecutable(server)) return NONE;
  const folder = mkdtempSync(join(tmpdir(), "sonde-relay-"));
  const script = join(folder, "lldb-server");
  const words = [process.execPath, asset("lldb-relay.cjs", "relay.cjs"), server].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  writeFileSync(script, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  chmodSync(script, 0o700);
  return {
    env: { LLDB_DEBUGSERVER_PATH: script },
    done: () => rmSync(folder, { recursive: true, force: true }),
  };
}
