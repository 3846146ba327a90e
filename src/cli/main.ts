/**
 * The `sonde` command. Every command pays for what is loaded here, so this is the plain case only: a daemon is there, its answer is printed.
 * All else (no daemon, another build, a terminal, help, anything odd) is done by complete.ts, which could do this too.
 */
import { fstatSync } from "node:fs";
import { runPlainly } from "./plain.ts";
import { isForeground, isLocal, ownWords } from "./words.ts";

const argv = process.argv.slice(2);

function isPlain(): boolean {
  const own = ownWords(argv);
  if (isLocal(own) || process.platform === "win32") return false;
  // Nothing is a conversation where output is not a terminal.
  if ((own.includes("agent") || own.includes("menu")) && isForeground(own, () => false)) return false;
  try {
    return !fstatSync(1).isCharacterDevice();
  } catch {
    return true; // closed
  }
}

// An explicit exit: open handles and the shutdown of unused machinery are not worth waiting for.
function leave(status: number | undefined): void {
  if (status !== undefined) process.exit(status);
  void import("./complete.ts").then(({ runCompletely }) => runCompletely(argv).then(leave));
}

if (isPlain()) runPlainly(argv, leave);
else leave(undefined);
