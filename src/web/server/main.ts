/** `sonde ui`: finds the page's server or starts it, gets a link from it and opens the browser. */

import { BUILD } from "../../client/build.ts";
import { places } from "../../client/paths.ts";
import { makeRuntimeDir, openRuntimeDir, type RuntimeDir } from "../../client/runtime-dir.ts";
import { acquire } from "../../client/start-lock.ts";
import { SondeError } from "../../errors.ts";
import { safeJson } from "../../util/safe-json.ts";
import { openBrowser } from "./browser.ts";
import { askServer } from "./control.ts";
import { startServer } from "./start.ts";

interface UiOptions {
  port?: number;
  readOnly: boolean;
  open: boolean;
  json: boolean;
}

/** The exit status. */
export async function ui(words: readonly string[], cwd: string): Promise<number> {
  const [first, ...rest] = words;
  if (first === "stop") return stop(rest.includes("--json"));
  if (first === "export") return exported(rest, cwd);
  const options = optionsOf(words);
  const link = await linkFor(options, cwd);
  const opened = options.open && openBrowser(link.url);
  const data = { url: link.url, port: link.port, pid: link.pid, readOnly: options.readOnly, opened };
  print(options.json ? safeJson({ ok: true, data }) : `${link.url}\n${opened ? "opening the browser" : HOW}`);
  return 0;
}

const HOW = "open it within 60 seconds; it opens one browser, once (`sonde ui` gives another)";

async function stop(json: boolean): Promise<number> {
  const dir = openRuntimeDir(places().runtime);
  const stopped = dir && (await askServer(dir, { ask: "stop" }));
  const data = { stopped: stopped !== undefined };
  print(json ? safeJson({ ok: true, data }) : stopped ? "the page's server has ended" : "it was not running");
  return 0;
}

async function exported(words: readonly string[], cwd: string): Promise<number> {
  const { exportPage } = await import("./export/export.ts");
  const data = await exportPage(words, cwd);
  const secrets = data.masked === 0 ? "" : `, ${data.masked} secrets masked`;
  print(
    words.includes("--json")
      ? safeJson({ ok: true, data })
      : `${data.file}: ${Math.ceil(data.bytes / 1024)} KiB${secrets}; it opens in a browser without Sonde`,
  );
  return 0;
}

function optionsOf(words: readonly string[]): UiOptions {
  const options: UiOptions = { readOnly: false, open: true, json: false };
  for (let at = 0; at < words.length; at++) {
    const [name = "", inline] = (words[at] ?? "").split("=", 2);
    if (name === "--read-only") options.readOnly = true;
    else if (name === "--no-open") options.open = false;
    else if (name === "--json") options.json = true;
    else if (name === "--port") options.port = portOf(inline ?? words[++at]);
    else throw new SondeError("BAD_ARGUMENT", `ui: unknown option \`${name}\``, { hint: "sonde help ui" });
  }
  return options;
}

function portOf(text: string | undefined): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new SondeError("BAD_ARGUMENT", `--port takes a number from 1 to 65535, not \`${text ?? ""}\``);
  return port;
}

/** Each try is a server that left, or one that somebody else was starting. */
const ATTEMPTS = 5;

async function linkFor({ port, readOnly }: UiOptions, cwd: string) {
  const dir = makeRuntimeDir(places().runtime);
  let wanted = port;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ask = { ask: "link" as const, build: BUILD, readOnly, ...(port === undefined ? {} : { port }) };
    const answer = await askServer(dir, ask);
    if (answer && "url" in answer) return answer;
    if (answer && "leaving" in answer) wanted ??= answer.port;
    await start(dir, wanted, cwd);
  }
  throw new SondeError("DAEMON_FAILED", "the page's server starts, but does not answer", {
    hint: "sonde daemon logs",
  });
}

async function start(dir: RuntimeDir, port: number | undefined, cwd: string): Promise<void> {
  const got = acquire(dir.held, LOCK);
  if (!got.ok)
    throw new SondeError("BUSY", `process ${got.holder.pid} is starting the page's server`, {
      hint: "run this again",
    });
  try {
    await startServer(port, cwd);
  } finally {
    got.lock.release();
  }
}

const LOCK = "ui.lock";

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
