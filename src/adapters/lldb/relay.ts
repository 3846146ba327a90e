/** How an attached process survives the death of its debugger: see relay.cjs. */
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExecutable } from "../kit/find.ts";

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
  const words = [process.execPath, relayFile(), server].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  writeFileSync(script, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  chmodSync(script, 0o700);
  return {
    env: { LLDB_DEBUGSERVER_PATH: script },
    done: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Beside the bundle in the built product, beside this file otherwise. */
function relayFile(): string {
  const places = ["./lldb-relay.cjs", "./relay.cjs"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  return found;
}
