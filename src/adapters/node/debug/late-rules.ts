/**
 * Conditions in a context that is so new that our side of it is not there yet: they stop, and are judged here. A worker is such
 * a context at its start, and test runners make one per file and run it at once.
 */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { type BreakRule, LATE, ruleText } from "./condition.ts";
import type { OriginalNames } from "./original-names.ts";
import type { Owner } from "./placements.ts";
import type { Reports } from "./reports.ts";
import type { Scripts } from "./scripts.ts";

export class LateRules {
  readonly #cdp: Cdp;
  readonly #scripts: Scripts;
  readonly #reports: Reports;
  readonly #names: OriginalNames;
  readonly #ruleOf: (owner: Owner) => BreakRule | undefined;

  constructor(tools: {
    cdp: Cdp;
    scripts: Scripts;
    reports: Reports;
    names: OriginalNames;
    ruleOf: (owner: Owner) => BreakRule | undefined;
  }) {
    this.#cdp = tools.cdp;
    this.#scripts = tools.scripts;
    this.#reports = tools.reports;
    this.#names = tools.names;
    this.#ruleOf = tools.ruleOf;
  }

  /** Those whose breakpoints really stop. */
  async judge({ callFrames }: Protocol.Debugger.PausedEvent, owners: Owner[]): Promise<Owner[]> {
    const [top] = callFrames;
    const contextId = top === undefined ? undefined : this.#scripts.get(top.location.scriptId)?.contextId;
    const rules = await Promise.all(
      owners.map(async (owner) => {
        const rule = owner.kind === "entry" ? undefined : this.#ruleOf(owner);
        const own = top && rule && (await this.#names.rule(rule, top.location));
        return own && owner.kind !== "entry" ? ruleText(owner.id, own) : undefined;
      }),
    );
    if (top === undefined || contextId === undefined || rules.every((rule) => rule === undefined))
      return owners;
    const evaluate = async (expression: string): Promise<boolean> => {
      const { callFrameId } = top;
      const { result } = await this.#cdp.send("Debugger.evaluateOnCallFrame", {
        callFrameId,
        expression,
        silent: true,
      });
      return result.value === true;
    };
    if (!(await evaluate(`globalThis.${LATE} === true && delete globalThis.${LATE}`))) return owners;
    await this.#reports.installIn(contextId);
    const verdicts = await Promise.all(rules.map((rule) => (rule === undefined ? true : evaluate(rule))));
    return owners.filter((_, at) => verdicts[at] === true);
  }
}
