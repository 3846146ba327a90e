/** `sonde mcp install`: shows what to put into a client's configuration, or puts it there. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { callerCwd } from "../../client/environment.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { CLIENTS, type ClientName, type Place, placeFor, type Scope } from "./clients.ts";
import { merged, snippet } from "./merge.ts";

interface Asked {
  client: ClientName;
  scope: Scope;
  write: boolean;
  yes: boolean;
}

export async function install(words: readonly string[]): Promise<void> {
  const asked = parse(words);
  const command = resolve(import.meta.dirname, "../bin/sonde");
  const place = inUse(placeFor(asked.client, asked.scope, { command, args: ["mcp"] }, { cwd: callerCwd() }));
  if (!asked.write) {
    say(`${place.file}\n\n${snippet(place)}\n(--write puts it there)\n`);
    return;
  }
  const file = existsSync(place.file) ? realpathSync(place.file) : place.file;
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const result = merged(place, before);
  if ("refused" in result)
    throw new SondeError("BAD_CONFIG", `${place.file} was left as it is: ${result.refused}`, {
      hint: `add this to it yourself:\n${snippet(place)}`,
    });
  if (!result.changed) {
    say(`${place.file} has it already\n`);
    return;
  }
  if (!asked.yes && !(await agreed(place, before !== undefined))) {
    say("nothing was written\n");
    return;
  }
  const backup = before === undefined ? undefined : keep(file);
  replace(file, result.text);
  say(`${place.file} written${backup === undefined ? "" : `; as it was: ${backup}`}\n`);
}

/** By the name that the file has already. */
function inUse(place: Place): Place {
  const { file, other } = place;
  return other !== undefined && existsSync(other) && !existsSync(file) ? { ...place, file: other } : place;
}

function say(text: string): void {
  process.stdout.write(text);
}

function parse(words: readonly string[]): Asked {
  const left = words.flatMap((word) => (/^--\w+=/.test(word) ? word.split(/=(.*)/s).slice(0, 2) : [word]));
  const asked: Partial<Asked> & Pick<Asked, "write" | "yes"> = { write: false, yes: false };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--client") asked.client = clientNamed(left.shift());
    else if (word === "--project" || word === "--user") {
      const scope = word === "--user" ? "user" : "project";
      if (asked.scope !== undefined && asked.scope !== scope)
        throw new SondeError("BAD_ARGUMENT", "either --project or --user");
      asked.scope = scope;
    } else if (word === "--write") asked.write = true;
    else if (word === "--yes" || word === "-y") asked.yes = true;
    else throw usage(`mcp install knows no \`${word}\``);
  }
  if (asked.client === undefined) throw usage("mcp install: for which client?");
  return { scope: "project", ...asked, client: asked.client };
}

function clientNamed(name: string | undefined): ClientName {
  const found = CLIENTS.find((one) => one === name);
  if (found) return found;
  const near = closest(name ?? "", CLIENTS);
  throw new SondeError("BAD_ARGUMENT", `--client: ${name ?? "nothing"} is no client sonde knows`, {
    hint: near ? `did you mean ${near}?` : `one of ${CLIENTS.join(", ")}`,
  });
}

function usage(what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", what, {
    hint: `sonde mcp install --client ${CLIENTS.join("|")} [--project|--user] [--write [--yes]]`,
  });
}

async function agreed(place: Place, exists: boolean): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new SondeError("BAD_ARGUMENT", "--write asks first, and there is nobody to ask", {
      hint: "--yes writes without asking",
    });
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(
      `${snippet(place)}\n${exists ? "add to" : "create"} ${place.file}? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}

/** Beside the file, under the first name that is free: an older backup is never written over. */
function keep(file: string): string {
  for (let number = 1; ; number++) {
    const backup = `${file}.before-sonde${number === 1 ? "" : `-${number}`}`;
    if (existsSync(backup)) continue;
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    return backup;
  }
}

/** Aside, then renamed, with the rights it had: the client never reads half of it. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.sonde-${process.pid}.new`);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  writeFileSync(draft, text, { flag: "wx" });
  if (mode !== undefined) chmodSync(draft, mode & 0o777);
  renameSync(draft, file);
}
