/** Conditions, hit counts and log messages: decided here at each hit, so that what is wrong with one can be said. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { About } from "../../dap/refused-part.ts";
import { parseLogMessage } from "../kit/log-message.ts";
import type { Rule } from "./breakpoints.ts";
import type { DbgpConnection } from "./dbgp-connection.ts";
import { shown, textOf } from "./values.ts";
import { child, type Element } from "./xml.ts";

type Say = (text: string, about?: About) => void;

const HIT = /^\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*$/;

export class Rules {
  readonly #engine: DbgpConnection;
  readonly #say: Say;

  constructor(engine: DbgpConnection, say: Say) {
    this.#engine = engine;
    this.#say = say;
  }

  async stops(rule: Rule): Promise<boolean> {
    const { condition, hitCondition, logMessage } = rule.spec as DebugProtocol.SourceBreakpoint;
    if (condition !== undefined && !(await this.#holds(rule, condition))) return false;
    rule.hits += 1;
    if (hitCondition !== undefined && !counted(rule.hits, hitCondition)) return false;
    if (logMessage === undefined) return true;
    this.#say(`${await this.#format(logMessage)}\n`);
    return false;
  }

  /** Rejects with what PHP says of it. `undefined` where a statement gave nothing. */
  async evaluate(expression: string, depth: number): Promise<Element | undefined> {
    try {
      return child(await this.#engine.send("eval", { d: depth }, expression), "property");
    } catch (error) {
      throw new Error((await this.#why(expression, depth)) ?? (error as Error).message);
    }
  }

  /** Xdebug says only that it failed; PHP itself tells why. */
  async #why(expression: string, depth: number): Promise<string | undefined> {
    const source = Buffer.from(`return ${expression};`).toString("base64");
    const code = `(function (array $__v, string $__c) { extract($__v); try { eval($__c); return ""; } catch (\\Throwable $__e) { return get_class($__e) . ": " . $__e->getMessage(); } })(get_defined_vars(), base64_decode("${source}"))`;
    const response = await this.#engine.send("eval", { d: depth }, code).catch(() => undefined);
    const property = response && child(response, "property");
    return (property && textOf(property)) || undefined;
  }

  async #holds(rule: Rule, condition: string): Promise<boolean> {
    try {
      const property = await this.evaluate(`(bool) (${condition})`, 0);
      return property !== undefined && textOf(property) === "1";
    } catch (error) {
      if (!rule.failed)
        this.#say(
          `the condition \`${condition}\` of breakpoint ${rule.label} failed: ${(error as Error).message}\n`,
          "failed-condition",
        );
      rule.failed = true;
      return false;
    }
  }

  async #format(message: string): Promise<string> {
    const parts = parseLogMessage(message).map(async (part) => {
      if ("text" in part) return part.text;
      try {
        const property = await this.evaluate(part.expression, 0);
        if (!property) return "null";
        return property.attributes.type === "string" ? textOf(property) : shown(property);
      } catch (error) {
        return `<${(error as Error).message}>`;
      }
    });
    return (await Promise.all(parts)).join("");
  }
}

function counted(hits: number, condition: string): boolean {
  const [, operator = "==", digits = "0"] = HIT.exec(condition) ?? [];
  const number = Number(digits);
  switch (operator) {
    case ">=":
      return hits >= number;
    case "<=":
      return hits <= number;
    case ">":
      return hits > number;
    case "<":
      return hits < number;
    case "%":
      return number > 0 && hits % number === 0;
    default:
      return hits === number;
  }
}
