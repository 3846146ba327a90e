/** What the client wants to stop at, and how that is told to Xdebug: only between stops, since a running PHP does not listen. */

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { DbgpConnection } from "./dbgp-connection.ts";
import { child, type Element } from "./xml.ts";

type Spec = DebugProtocol.SourceBreakpoint | DebugProtocol.FunctionBreakpoint;

export interface Rule {
  id: number;
  /** For messages: `loop.php:5`, `leaf`. */
  label: string;
  spec: Spec;
  path?: string;
  /** Xdebug's. */
  engineId?: string;
  answer: DebugProtocol.Breakpoint;
  hits: number;
  failed: boolean;
}

const LATER = "PHP accepts no requests while it runs: the breakpoint is set at the next stop";

export class Breakpoints {
  readonly #engine: DbgpConnection;
  readonly #changed: (breakpoint: DebugProtocol.Breakpoint) => void;
  /** By file; functions under "". */
  readonly #groups = new Map<string, Rule[]>();
  #unsent: (() => Promise<void>)[] = [];
  #next = 1;

  constructor(engine: DbgpConnection, changed: (breakpoint: DebugProtocol.Breakpoint) => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Those Xdebug says were hit. */
  hit(response: Element): Rule[] {
    const ids = response.children.filter(({ name }) => name === "breakpoint").map((one) => one.attributes.id);
    return this.#all().filter(({ engineId }) => engineId !== undefined && ids.includes(engineId));
  }

  at(path: string, line: number): Rule[] {
    return (this.#groups.get(path) ?? []).filter(({ answer }) => answer.line === line);
  }

  async setLines(path: string, specs: DebugProtocol.SourceBreakpoint[], running: boolean): Promise<Rule[]> {
    return this.#replace(path, specs, running, (spec) => ({
      label: `${basename(path)}:${(spec as DebugProtocol.SourceBreakpoint).line}`,
      path,
    }));
  }

  setFunctions(specs: DebugProtocol.FunctionBreakpoint[], running: boolean): Promise<Rule[]> {
    return this.#replace("", specs, running, (spec) => ({
      label: (spec as DebugProtocol.FunctionBreakpoint).name,
    }));
  }

  /** The program stands still: what was asked for meanwhile. */
  async catchUp(): Promise<void> {
    for (const send of this.#unsent.splice(0)) await send();
  }

  /** Xdebug has compiled the file and knows the line. */
  resolved(notification: Element): void {
    const breakpoint = child(notification, "breakpoint");
    const rule = this.#all().find(({ engineId }) => engineId === breakpoint?.attributes.id);
    if (!breakpoint || !rule) return;
    rule.answer = this.#bound(rule, breakpoint.attributes.lineno);
    this.#changed(rule.answer);
  }

  async #replace(
    key: string,
    specs: Spec[],
    running: boolean,
    about: (spec: Spec) => Pick<Rule, "label" | "path">,
  ): Promise<Rule[]> {
    const gone = this.#groups.get(key) ?? [];
    const rules = specs.map((spec): Rule => {
      const id = this.#next++;
      return {
        id,
        spec,
        hits: 0,
        failed: false,
        answer: { id, verified: false, message: LATER },
        ...about(spec),
      };
    });
    this.#groups.set(key, rules);
    const send = async () => {
      for (const { engineId } of gone)
        if (engineId !== undefined) await this.#engine.send("breakpoint_remove", { d: engineId });
      for (const rule of rules) await this.#set(rule);
    };
    if (!running) await send();
    else
      this.#unsent.push(async () => {
        await send();
        for (const { answer } of rules) this.#changed(answer);
      });
    return rules;
  }

  async #set(rule: Rule): Promise<void> {
    try {
      const { attributes } = await this.#engine.send("breakpoint_set", wordsOf(rule));
      rule.engineId = attributes.id ?? "";
      rule.answer =
        rule.path === undefined || attributes.resolved === "resolved"
          ? this.#bound(rule, await this.#lineOf(rule))
          : { id: rule.id, verified: false, message: waiting(rule.path) };
    } catch (error) {
      rule.answer = { id: rule.id, verified: false, message: (error as Error).message };
    }
  }

  async #lineOf({ path, engineId }: Rule): Promise<string | undefined> {
    if (path === undefined) return undefined;
    const response = await this.#engine.send("breakpoint_get", { d: engineId });
    return child(response, "breakpoint")?.attributes.lineno;
  }

  #bound({ id, path }: Rule, line: string | undefined): DebugProtocol.Breakpoint {
    return {
      id,
      verified: true,
      ...(path === undefined ? {} : { source: { path } }),
      ...(line === undefined ? {} : { line: Number(line) }),
    };
  }

  #all(): Rule[] {
    return [...this.#groups.values()].flat();
  }
}

function waiting(path: string): string {
  return existsSync(path)
    ? `${basename(path)} has not run code at this line, or is not loaded yet`
    : `there is no file ${path}`;
}

function wordsOf({ spec, path }: Rule): Record<string, string | number | undefined> {
  if ("line" in spec) return { t: "line", f: pathToFileURL(path ?? "").href, n: spec.line };
  const [, owner, method] = /^(?:(.+)::)?([^:]+)$/.exec(spec.name) ?? [];
  return { t: "call", a: owner, m: method ?? spec.name };
}
