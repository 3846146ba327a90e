/** Begins a session of a library agent: its folder, its record, and the two ways in for commands. */
import { asSondeError } from "../../errors.ts";
import { Masker } from "../../util/secrets/mask.ts";
import { createCore } from "../core/bridge.ts";
import { costOf, priceTable } from "../explain/prices.ts";
import { CommandFile } from "../inbox/command-file.ts";
import { type Listening, listenForCommands } from "../inbox/control-server.ts";
import { EventLog } from "../store/log.ts";
import { createSession, endSession } from "../store/sessions.ts";
import type { AgentBridge, BridgeOptions } from "./bridge.ts";
import { CurrentConversation } from "./current-conversation.ts";
import { LiveBridge } from "./live.ts";

export interface OpenOptions extends BridgeOptions {
  /** The folder with `sessions/` in it. */
  root: string;
  /** Of Sonde. */
  version: string;
  socket(id: string): string;
}

export async function openBridge(options: OpenOptions): Promise<AgentBridge> {
  const { root, version, socket, client, name, maxHold, variables } = options;
  const masker = new Masker();
  const facts = {
    cwd: process.cwd(),
    version,
    argv: process.argv.map((word) => masker.mask(word).text),
    route: "library" as const,
    ...(client === undefined ? {} : { client }),
  };
  const folder = createSession(root, { ...facts, socket, ...(name === undefined ? {} : { name }) });
  const log = EventLog.open(folder, { masker });
  const priceOf = priceTable();
  const conversations = new CurrentConversation();
  const core = createCore({
    log,
    sessionId: folder.id,
    conversation: conversations,
    costOf: (model, usage) => {
      const price = priceOf(model);
      return price && costOf(usage, price);
    },
    ...(maxHold ? { maxHold } : {}),
    ...(variables ? { variables } : {}),
  });
  log.append("session_start", { ...facts, pid: process.pid, changed: { env: {}, args: [] }, costs: [] });
  log.flush();
  if (options.paused) core.startPaused();

  // From the beginning: what was written since the folder was made counts.
  const inbox = new CommandFile(folder.commands, core, {
    from: 0,
    onBad: ({ message, commandId }) => {
      log.append("error", {
        message,
        context: "commands.jsonl",
        ...(commandId === undefined ? {} : { commandId }),
      });
      log.flush();
    },
  });
  let listening: Listening | undefined;
  try {
    const path = folder.session.socket;
    if (path !== undefined) listening = await listenForCommands(core, path, { events: log });
  } catch (thrown) {
    // commands.jsonl is left, and takes everything that the socket takes.
    log.append("error", { message: asSondeError(thrown).message, context: "control socket" });
  }

  let over = false;
  const end = (reason: string, exit?: number) => {
    if (over) return;
    over = true;
    process.off("exit", atExit);
    core.close(reason);
    log.append("session_end", { reason, exit: exit ?? null, signal: null });
    log.flush();
    endSession(folder, exit === undefined ? {} : { exit });
  };
  const atExit = (code: number) => end("the process ended", code);
  process.once("exit", atExit);

  const close = async () => {
    end("the agent closed its session");
    await Promise.all([inbox.close(), listening?.close()]);
    log.close();
  };
  return new LiveBridge({ core, log, conversations, session: folder.id, folder: folder.dir, close });
}
