/**
 * What a stop shows, told with it: the stack down to the outermost frame of the user's own and the scopes of the top frame; their
 * variables follow as soon as they are read. A client in the same process then asks for nothing, which spares each step several rounds.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Look, LookVariables } from "../../../dap/look.ts";
import type { Ahead } from "./ahead.ts";
import type { Current } from "./current.ts";
import { stackTrace } from "./frames.ts";
import type { DebuggerHost } from "./host.ts";
import type { Pause } from "./pause.ts";
import type { Sources } from "./sources.ts";
import type { Page, Values } from "./values.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

interface Tools {
  host: DebuggerHost;
  current: Current;
  sources: Sources;
  values: Values;
  ahead: Ahead;
  scopes(frameId: number): Promise<DebugProtocol.Scope[]>;
}

/** More frames than these are asked for. */
const MOST_FRAMES = 40;
const WHOLE: Page = { filter: "", start: 0, count: 0, hex: false };

export class Looks {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Tells of a stop. */
  tell(stopped: Stopped): void {
    const { ahead, current, host } = this.#tools;
    const { pause } = current;
    if (!host.sharesProcess || !ahead.isComing || pause === undefined) {
      host.emit("stopped", stopped);
      return;
    }
    void this.#look(pause)
      .catch(() => undefined) // what failed is asked for again, and fails there
      .then((look) => {
        if (current.pause !== pause) return; // it has gone on
        host.emit("stopped", { ...stopped, ...(look === undefined ? {} : { look }) });
        if (look !== undefined) void this.#follow(pause, look);
      });
  }

  async #look(pause: Pause): Promise<Look | undefined> {
    const { sources } = this.#tools;
    const own = pause.frames.findLastIndex(
      ({ frame }) => frame.kind === "live" && !sources.isInternal(frame.call.location.scriptId),
    );
    const [top] = pause.frames;
    const isPlain = pause.frames.every(({ frame }) => frame.kind === "live");
    if (top === undefined || own < 0 || own >= MOST_FRAMES || !isPlain) return undefined;
    const [{ stackFrames }, scopes] = await Promise.all([
      stackTrace(pause, sources, { threadId: 0, startFrame: 0, levels: own + 1 }),
      this.#tools.scopes(top.id),
    ]);
    const totalFrames = pause.frames.length;
    return { stackFrames, totalFrames, frameId: top.id, scopes };
  }

  /** A list that cannot be read is left out, and whoever needs it asks. */
  async #follow(pause: Pause, { frameId, scopes }: Look): Promise<void> {
    const { current, host, values } = this.#tools;
    const lists: LookVariables["lists"] = [];
    await Promise.all(
      scopes.map(async ({ variablesReference, expensive }) => {
        if (expensive) return;
        const container = values.containers.get(variablesReference);
        const variables = await values.members(container, WHOLE).catch(() => undefined);
        if (variables !== undefined) lists.push({ variablesReference, variables });
      }),
    );
    if (current.pause === pause) host.emit("sonde/variables", { frameId, lists });
  }
}
