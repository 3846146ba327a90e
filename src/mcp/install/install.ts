/** `sonde mcp install`: shows what to put into a client's configuration, or puts it there. */
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { callerCwd } from "../../client/environment.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { naming } from "../../util/file-errors.ts";
import { landing } from "../../util/landing.ts";
import { optionWords } from "../option-words.ts";
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
  const file = naming(place.file, () => landing(place.file));
  const before = naming(file, () => textOf(file, place));
  const result = merged(place, before);
  if ("refused" in result)
    throw new SondeError("BAD_CONFIG", `${place.file} was not changed: ${result.refused}`, {
      hint: result.by ?? `edit it yourself so that it has this:\n${snippet(place)}`,
    });
  if (!result.changed) {
    say(`${place.file} already has it\n`);
    return;
  }
  naming(file, () => mayWrite(file, place));
  if (!asked.yes && !(await agreed(place, before !== undefined))) {
    say("nothing was written\n");
    return;
  }
  const backup = before === undefined ? undefined : naming(file, () => keep(file));
  naming(file, () => replace(file, result.text));
  const where = isLink(place.file) ? `${place.file} (a link to ${file})` : place.file;
  say(`${where} written${backup === undefined ? "" : `; as it was: ${backup}`}\n`);
}

/** By the name that the file has already. */
function inUse(place: Place): Place {
  const { file, other } = place;
  return other !== undefined && existsSync(other) && !existsSync(file) ? { ...place, file: other } : place;
}

/** Undefined if there is no such file. Other encodings than UTF-8 would be written wrongly. */
function textOf(file: string, place: Place): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile())
    throw new SondeError(
      "BAD_CONFIG",
      `${file} is ${stats.isDirectory() ? "a folder" : "a device or a pipe"}, not a file`,
      { hint: `move it away; then the same command writes the file, with:\n${snippet(place)}` },
    );
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new SondeError("BAD_CONFIG", `${file} was not changed: it is not UTF-8`, {
      hint: `edit it yourself so that it has this:\n${snippet(place)}`,
    });
  }
}

/** It is replaced by a new file, to which the old one's rights are no hindrance; its owner meant them. */
function mayWrite(file: string, place: Place): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    const folder = dirname(file);
    if (isLink(place.file) && !existsSync(folder))
      throw new SondeError("BAD_CONFIG", `${place.file} is a link to ${file}, whose folder does not exist`, {
        hint: `make the folder (\`mkdir -p ${folder}\`) or remove the link`,
      });
    return;
  }
  if ((stats.mode & 0o222) === 0)
    throw new SondeError("PERMISSION", `${file} was not changed: it is read-only`, {
      hint: `make it writable (\`chmod u+w ${file}\`), or edit it yourself so that it has this:\n${snippet(place)}`,
    });
  accessSync(file, constants.W_OK);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function say(text: string): void {
  process.stdout.write(text);
}

function parse(words: readonly string[]): Asked {
  const left = optionWords(words);
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
    else throw usage(`mcp install: no such option \`${word}\``);
  }
  if (asked.client === undefined) throw usage("mcp install: for which client?");
  return { scope: "project", ...asked, client: asked.client };
}

function clientNamed(name: string | undefined): ClientName {
  const found = CLIENTS.find((one) => one === name);
  if (found) return found;
  const near = closest(name ?? "", CLIENTS);
  throw new SondeError("BAD_ARGUMENT", `--client: ${name ?? "nothing"} is not a client sonde knows`, {
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
  try {
    writeFileSync(draft, text, { flag: "wx" });
    if (mode !== undefined) chmodSync(draft, mode & 0o777);
    renameSync(draft, file);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}
