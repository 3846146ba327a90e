/** `sonde ui`: finds the page's server or starts it, gets a link from it and opens the browser. */

import { BUILD } from "../../client/build.ts";
import { places } from "../../client/paths.ts";
import { makeRuntimeDir, openRuntimeDir, type RuntimeDir } from "../../client/runtime-dir.ts";
import { watchFolder } from "../../client/start-daemon.ts";
import { acquire } from "../../client/start-lock.ts";
import { SondeError } from "../../errors.ts";
import { safeJson } from "../../util/safe-json.ts";
import { openBrowser } from "./browser.ts";
import { askServer } from "./control.ts";
import { pageEnv } from "./daemon.ts";
import { startServer, UI_LOCK } from "./start.ts";

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
  const opened = options.open && (await openBrowser(link.url));
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
  const before = data.replaced ? ", in place of the file that was there" : "";
  const secrets = data.masked === 0 ? "" : `, ${data.masked} secrets masked`;
  print(
    words.includes("--json")
      ? safeJson({ ok: true, data })
      : `${data.file}: ${Math.ceil(data.bytes / 1024)} KiB${secrets}${before}; it opens in a browser without Sonde`,
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

/** Each try is a server that left before it was asked. */
const ATTEMPTS = 5;
/** Long enough for somebody else's start to run into its own deadline, and for ours after it. */
const DEADLINE_MS = 45_000;

async function linkFor({ port, readOnly }: UiOptions, cwd: string) {
  const dir = makeRuntimeDir(places().runtime);
  const deadline = performance.now() + DEADLINE_MS;
  let wanted = port;
  const ask = async () => {
    const there = await askServer(dir, { ask: "status" });
    if (there === undefined || !("build" in there)) return undefined;
    const answer = await askServer(dir, {
      ask: "link",
      build: BUILD,
      readOnly,
      ...(port === undefined ? {} : { port }),
      ...(there.build === BUILD ? { from: { cwd, env: pageEnv() } } : {}),
    });
    if (answer && "leaving" in answer) wanted ??= answer.port;
    return answer && "url" in answer ? answer : undefined;
  };
  using changes = watchFolder(dir.path);
  for (let starts = 0; starts < ATTEMPTS; ) {
    const change = changes.next(); // before looking, so that nothing is missed
    const link = await ask();
    if (link) return link;
    const got = acquire(dir.held, UI_LOCK);
    if (!got.ok) {
      await change;
      if (performance.now() > deadline) throw stuck(dir, got.holder.pid);
      continue;
    }
    // Whoever held the lock before us may have just finished.
    const theirs = await ask().catch((thrown: unknown) => {
      got.lock.release();
      throw thrown;
    });
    if (theirs) {
      got.lock.release();
      return theirs;
    }
    starts++;
    await startServer(wanted, cwd, got.lock);
  }
  throw new SondeError("DAEMON_FAILED", "the page's server starts, but does not answer", {
    hint: "sonde daemon logs",
  });
}

function stuck(dir: RuntimeDir, pid: number): SondeError {
  return new SondeError("DAEMON_FAILED", `process ${pid} has been starting the page's server for too long`, {
    hint: `end it, or remove ${dir.path}/${UI_LOCK}; then run this again`,
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
