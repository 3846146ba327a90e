/** `sonde ui export`: a run, a trace, two traces compared or a profile as one file. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { VERSION } from "../../../client/build.ts";
import { places } from "../../../client/paths.ts";
import { type ErrorCode, SondeError } from "../../../errors.ts";
import { replaceOwn } from "../../../util/replace-own.ts";
import type { PageError, PagePart, PageTold } from "../../protocol.ts";
import { Daemon } from "../daemon.ts";
import { documentOf } from "./document.ts";
import { oneScript } from "./one-script.ts";
import {
  diffParts,
  type Exported,
  type Keep,
  type Kept,
  profileParts,
  runParts,
  traceParts,
} from "./parts.ts";

export interface Export {
  file: string;
  bytes: number;
  /** How many answers of commands it holds, and how many secrets in them were masked. */
  answers: number;
  masked: number;
  /** A file of this name was there before. */
  replaced: boolean;
}

/** By these it is said that there is none of that name. */
const ABSENT: ReadonlySet<string> = new Set(["NO_TRACE", "NO_SESSION", "BAD_ARGUMENT"]);

const USAGE = "sonde ui export <run|trace|profile> [<second trace>] -o <file.html>";

export async function exportPage(words: readonly string[], cwd: string): Promise<Export> {
  const { ids, out } = read(words);
  const daemon = new Daemon(places(), true);
  const kept: Kept[] = [];
  /** Why something could not be read that may well be there. */
  let failed: PageError | undefined;
  const keep: Keep = async (command, args, session, options) => {
    const answer = await daemon.ask({ command, args, session, cwd, readOnly: true });
    if (answer?.ok === false && !ABSENT.has(answer.error.code)) failed ??= answer.error;
    if (answer === undefined || (!answer.ok && options?.errors !== true)) return undefined;
    const asked = { command, args, ...(session === undefined ? {} : { session }) };
    // What a text says is in the data too.
    kept.push({ ...asked, answer: answer.ok ? { ...answer, text: "" } : answer });
    return answer.ok ? (answer.data as Record<string, unknown>) : undefined;
  };
  try {
    const view = await partsOf(ids, keep).catch((thrown: unknown) => {
      throw failed === undefined ? thrown : errorOf(failed);
    });
    const hello = { version: VERSION, readOnly: true, cwd: "", home: homedir() };
    const folder = join(import.meta.dirname, "page");
    const { html, masked } = documentOf({
      title: `Sonde: ${view.title}`,
      script: oneScript("app.js", (name) => readFileSync(join(folder, name), "utf8")),
      styles: readFileSync(join(folder, "app.css"), "utf8"),
      stored: { path: view.path, hello, calls: kept },
    });
    const file = resolve(cwd, out);
    const replaced = replaceOwn(file, html);
    return { file, bytes: Buffer.byteLength(html), answers: kept.length, masked, replaced };
  } finally {
    daemon.close();
  }
}

/** By what there is of that name: a trace, a profile, a run of an agent. */
async function partsOf([id = "", other]: readonly string[], keep: Keep): Promise<Exported> {
  if (other !== undefined) return diffParts(id, other, keep);
  for (const parts of [traceParts, profileParts]) {
    const found = await parts(id, keep).catch((thrown: unknown) => {
      if (thrown instanceof SondeError && thrown.code === "BAD_ARGUMENT") return undefined;
      throw thrown;
    });
    if (found !== undefined) return found;
  }
  return runParts(id, keep);
}

function errorOf({ code, message, hint }: PageError): SondeError {
  return new SondeError(
    code as ErrorCode,
    plainText(message),
    hint === undefined ? {} : { hint: plainText(hint) },
  );
}

function plainText(told: PageTold): string {
  if (typeof told === "string") return told;
  const words = (part: PagePart) =>
    typeof part === "string" ? part : part.do === "text" ? part.text : `\`${part.line}\``;
  return told.say.map(words).join("");
}

function read(words: readonly string[]): { ids: string[]; out: string } {
  const ids: string[] = [];
  let out: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "-o" || word === "--output") out = words[++at];
    else if (word.startsWith("--output=")) out = word.slice("--output=".length);
    else if (word !== "--json") ids.push(word);
  }
  if (ids.length === 0 || ids.length > 2 || out === undefined || ids.some((one) => one.startsWith("-")))
    throw new SondeError("BAD_ARGUMENT", "ui export needs something to export, and a file to write (-o)", {
      hint: USAGE,
    });
  return { ids, out };
}
