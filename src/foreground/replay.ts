/** agent replay --serve: a recording as the provider of an agent, offline. */
import { advice, named } from "../advice/advice.ts";
import { parseSpeed } from "../agent/replay/print.ts";
import { reportText } from "../agent/replay/report.ts";
import { serveTape } from "../agent/replay/serve.ts";
import { runToRead } from "../commands/agent/choosing.ts";
import { SondeError } from "../errors.ts";
import { safeJson } from "../util/safe-json.ts";
import { start } from "./run.ts";
import { asking, type Terminal } from "./terminal.ts";

interface Arguments {
  source?: string;
  args?: string[];
  port?: number;
  timed?: boolean;
  speed?: string;
  ignore?: string[];
  dir?: string;
}

export async function replay(args: Arguments, terminal: Terminal): Promise<number> {
  const { row } = await runToRead(asking(terminal, args.source), args);
  const speed = args.speed === undefined ? undefined : parseSpeed(args.speed);
  const tape = {
    folder: row.folder,
    timed: args.timed ?? speed !== undefined,
    ignore: patterns(args.ignore),
    ...(speed === undefined ? {} : { speed }),
  };
  if (args.args !== undefined && args.args.length > 0) {
    return start(terminal, {
      command: args.args,
      dir: args.dir,
      name: undefined,
      client: undefined,
      upstream: undefined,
      hooks: true,
      startPaused: false,
      breakpoints: [],
      quiet: false,
      replay: tape,
    });
  }
  return serveUntilInterrupted(tape, args.port, terminal);
}

/** A request that leaves the recording ends it with status 1. */
async function serveUntilInterrupted(
  tape: Parameters<typeof serveTape>[0],
  port: number | undefined,
  { cwd, isJson, say }: Terminal,
): Promise<number> {
  const server = await serveTape({ ...tape, port, cwd });
  const interrupted = new Promise<undefined>((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => done(undefined));
  });
  const line = isJson ? safeJson({ ok: true, data: { url: server.url } }) : server.url;
  process.stdout.write(`${line}\n`);
  if (!isJson) say("the base URL for the agent; ctrl-c ends it");
  const left = await Promise.race([server.divergence, interrupted]);
  const report = server.report();
  await server.close();
  say(reportText(report));
  return left === undefined ? 0 : 1;
}

export function patterns(texts: readonly string[] = []): RegExp[] {
  return texts.map((text) => {
    try {
      return new RegExp(text);
    } catch (thrown) {
      throw new SondeError("BAD_ARGUMENT", advice`${named("ignore")}: ${(thrown as Error).message}`);
    }
  });
}
