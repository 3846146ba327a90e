/** Commands that need no daemon. */
import { BUILD, VERSION } from "../../client/build.ts";
import { callerCwd } from "../../client/environment.ts";
import { SondeError } from "../../errors.ts";
import { fileError } from "../../util/file-errors.ts";
import { safeJson } from "../../util/safe-json.ts";
import { print } from "../print.ts";
import { bundle } from "./bundle.ts";
import { completionScript } from "./completion.ts";
import { daemonCommand } from "./daemon.ts";
import { commandHelpText, helpText, overviewText } from "./help-text.ts";
import { findCommands, readManifest } from "./manifest.ts";
import { skillsCommand } from "./skills.ts";

/** `words`: what was typed before `--`. */
export async function runLocal(words: string[]): Promise<number> {
  try {
    return await run(words);
  } catch (thrown) {
    throw fileError(thrown) ?? thrown;
  }
}

async function run(words: string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined) return show(overviewText(readManifest()));
  if (words.includes("-h") || words.includes("--help")) return help(words.filter((word) => word !== "help"));
  if (first === "help") return help(rest);
  if (first === "-V" || first === "--version") return version(rest);
  if (first === "completion") return show(completionScript(readManifest(), rest[0]));
  if (first === "daemon") return daemonCommand(rest);
  if (first === "dap") return dap(rest);
  if (first === "skills") return skillsCommand(rest);
  if (first === "ui") return ui(rest);
  return mcp(rest);
}

function help(words: string[]): Promise<number> {
  const manifest = readManifest();
  const names = words.filter((word) => !word.startsWith("-"));
  const commands = names.length > 0 ? findCommands(manifest, names) : undefined;
  if (words.includes("--json")) {
    const data = commands ? { ...manifest, commands } : manifest;
    return show(`${safeJson({ ok: true, data })}\n`);
  }
  return show(commands ? commandHelpText(commands) : helpText(manifest));
}

function version(words: string[]): Promise<number> {
  const data = { version: VERSION, build: BUILD, node: process.version };
  return show(
    words.includes("--json") ? `${safeJson({ ok: true, data })}\n` : `sonde ${VERSION} (build ${BUILD})\n`,
  );
}

async function show(text: string): Promise<number> {
  await print(1, text);
  return 0;
}

/** Serves until its standard input ends. */
async function dap([adapter]: string[]): Promise<number> {
  if (adapter !== "node")
    throw new SondeError("BAD_ARGUMENT", "dap can serve only one adapter: node", { hint: "sonde dap node" });
  const { serveNodeAdapter } = await bundle("dap-node.mjs");
  await serveNodeAdapter?.(process.stdin, process.stdout);
  return 0;
}

async function mcp(words: string[]): Promise<number> {
  const { serveMcp } = await bundle("mcp.mjs");
  try {
    await serveMcp?.(words);
  } catch (thrown) {
    throw ofAnotherBundle(thrown);
  }
  return 0;
}

/** The page's server is a process of its own. */
async function ui(words: string[]): Promise<number> {
  const bundled = await bundle("web.mjs");
  try {
    return Number(await bundled.ui?.(words, callerCwd()));
  } catch (thrown) {
    throw ofAnotherBundle(thrown);
  }
}

/** A bundle has a class of its own for our errors; here it is ours again. */
function ofAnotherBundle(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name !== "SondeError") return thrown;
  const { code, message, hint } = thrown as SondeError;
  return new SondeError(code, message, hint === undefined ? {} : { hint });
}
