/** What a frame holds at a stop, as a record has it: of optimised Go code only what is proven. */
import { extname } from "node:path";
import type { Debuggee } from "../../../session/debuggee.ts";
import type { Frame, Stack } from "../../../session/stack/frames.ts";
import { fileLines } from "../../../session/stack/source.ts";
import { frameValues } from "../../../session/values/frame-values.ts";
import { cut } from "../../../util/text.ts";
import { goTrust, type Trust } from "../../go/trusted.ts";
import { UNAVAILABLE } from "../../plan.ts";
import type { DebugRun } from "./program.ts";

const MANY = 40;
const OPTIMISED =
  "this code was built with optimisation: values that are not proven to be current are <unavailable>; build it with -gcflags='all=-N -l'";

export class FrameReads {
  readonly #run: DebugRun;
  readonly #valueChars: number;
  readonly #trust: Trust | undefined;
  #isOptimisedSaid = false;

  /** Of a program that runs. */
  constructor(run: DebugRun, valueChars: number) {
    this.#run = run;
    this.#valueChars = valueChars;
    this.#trust = goTrust(run.session);
  }

  async locals(debuggee: Debuggee, frame: Frame): Promise<Map<string, string>> {
    const limits = {
      snapshotBytes: 0,
      valueChars: this.#valueChars,
      variables: MANY,
      frames: 0,
      outputLines: 0,
    };
    const values = await frameValues(this.#run.session, debuggee, frame, limits);
    return new Map(
      values.map(({ name, value }) => [name, this.#isTrusted(frame, name) ? value : UNAVAILABLE]),
    );
  }

  /** What the line that a frame stands on will return, where that can be read beforehand. */
  async returning(debuggee: Debuggee, frame: Frame): Promise<string | undefined> {
    const { session } = this.#run;
    const { path = "", line, adapterId } = frame;
    const language = session.adapter.describes?.find(({ sources }) => sources.includes(extname(path)));
    const given = language?.returned?.(fileLines(path) ?? [], line);
    if (given === undefined || this.#trust?.isOptimised(frame)) return undefined;
    const values: string[] = [];
    for (const expression of given.expressions) {
      const shown = await debuggee.client
        .request("evaluate", { expression, context: "watch", frameId: adapterId })
        .catch(() => undefined);
      if (shown === undefined || !given.isSure(expression, shown.result, shown.type ?? "")) return undefined;
      values.push(cut(shown.result, this.#valueChars));
    }
    return values.join(", ");
  }

  /** Some debuggers show what a call returned among the values of its caller. */
  async returned(debuggee: Debuggee, { frames }: Stack, name: string): Promise<string | undefined> {
    const [top] = frames;
    if (top === undefined || !this.#isTrusted(top)) return undefined;
    const { reads } = this.#run.session;
    const scopes = await reads.scopes(debuggee, top.adapterId).catch(() => []);
    for (const scope of scopes.filter((one) => !one.expensive)) {
      const variables = await reads.variables(debuggee, scope.variablesReference).catch(() => []);
      const found = variables.find(
        (one) => scope.presentationHint === "returnValue" || one.name === `(return) ${name}`,
      );
      if (found !== undefined) return found.value;
    }
    return undefined;
  }

  #isTrusted(frame: Frame, name?: string): boolean {
    if (!this.#trust?.isOptimised(frame)) return true;
    if (!this.#isOptimisedSaid) this.#run.sink.note(OPTIMISED);
    this.#isOptimisedSaid = true;
    return name !== undefined && this.#trust.isProven(frame, name);
  }
}
