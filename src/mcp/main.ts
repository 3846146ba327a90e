/** `sonde mcp`: the commands as MCP tools, on standard input and output or, if asked, over HTTP. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { connect } from "../client/client.ts";
import { places } from "../client/paths.ts";
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import { openLog } from "../util/log/writer.ts";
import { optionWords } from "./option-words.ts";
import { createServer } from "./server.ts";
import { StdioTransport } from "./stdio.ts";
import { TOOLS } from "./tools.generated.ts";

const LONGEST_COMPLAINT = 500;

/** The others are there for whoever asks for them: each tool costs every conversation. */
const CORE: readonly Tool[] = TOOLS.filter(({ name }) => name !== "agent" && name !== "diagnose");

/** Serves until its standard input ends, or for ever over HTTP. */
export async function serveMcp(words: string[]): Promise<void> {
  if (words[0] === "install") return (await import("./install/install.ts")).install(words.slice(1));
  const { tools, http } = options(words);
  const log = openLog(places().logs, { kind: "mcp" });
  process.on("uncaughtExceptionMonitor", (error) =>
    log("error", `uncaught: ${error.stack ?? error.message}`),
  );
  const client = await connect();
  log("info", `serving ${tools.map(({ name }) => name).join(", ")}${http === undefined ? "" : " over HTTP"}`);
  if (http !== undefined) {
    const { serveHttp } = await import("./http.ts");
    return serveHttp(http, () => createServer(client, tools, log));
  }
  const server = createServer(client, tools, log);
  const ended = new Promise<void>((done) => {
    process.stdin.once("end", done).once("close", done);
    process.stdout.once("error", () => done()); // nobody reads any more
    server.onclose = done;
  });
  // Its sender is told; a person who looks for the reason finds it here.
  server.onerror = (error) => {
    log("warn", error.message.slice(0, LONGEST_COMPLAINT));
    process.stderr.write(`sonde mcp: ${error.message.slice(0, LONGEST_COMPLAINT)}\n`);
  };
  await server.connect(new StdioTransport(process.stdin, process.stdout));
  await ended;
  log("info", "the client is gone");
  client.close();
}

interface Options {
  tools: readonly Tool[];
  /** The port, 0 for any. */
  http?: number;
}

export function options(words: readonly string[]): Options {
  let tools = CORE;
  let http: number | undefined;
  const left = optionWords(words);
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--tools") tools = chosenTools(left.shift());
    else if (word === "--http") http = /^\d+$/.test(left[0] ?? "") ? port(left.shift()) : 0;
    else
      throw new SondeError("BAD_ARGUMENT", `mcp: no such option \`${word}\``, {
        hint: "sonde mcp [--tools all|core|<list>] [--http [port]], or sonde mcp install --client <name>",
      });
  }
  return { tools, ...(http === undefined ? {} : { http }) };
}

function port(text: string | undefined): number {
  const number = Number(text);
  if (number <= 65_535) return number;
  throw new SondeError("BAD_ARGUMENT", `--http: ${text} is not a port`);
}

function chosenTools(list: string | undefined): readonly Tool[] {
  if (list === "all") return TOOLS;
  if (list === "core") return CORE;
  const names = TOOLS.map(({ name }) => name);
  const wanted = (list ?? "").split(",").filter(Boolean);
  if (wanted.length === 0)
    throw new SondeError("BAD_ARGUMENT", "--tools: which?", {
      hint: `all, core, or some of ${names.join(",")}`,
    });
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = closest(name, names);
    throw new SondeError("BAD_ARGUMENT", `--tools: no tool ${name}`, {
      hint: near ? `did you mean ${near}?` : `there are: ${names.join(", ")}`,
    });
  }
  return TOOLS.filter(({ name }) => wanted.includes(name));
}
