/** The names of the source a script was made from: read in what is asked, and given to what is shown. */
import type { Protocol } from "devtools-protocol";
import { failing, translated } from "../javascript/expression.cjs";
import { programOf } from "../javascript/unset-names.ts";
import type { Names } from "../names/names.cjs";
import type { Arrival } from "./arrivals.ts";
import type { BreakRule } from "./condition.ts";
import { DapError } from "./host.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";
import type { Point } from "./source-map.ts";
import type { SourceMaps } from "./source-maps.ts";

/** Longer texts are read only once somebody waits for them, and not beyond this. */
const LONGEST = 4_000_000;
const KEPT = 20;

interface Tools {
  texts: ScriptTexts;
  scripts: Scripts;
  maps: SourceMaps;
}

interface Script {
  names: Names;
  text: string;
}

/** What can be said at one place of a script. */
export class NamesAt {
  readonly #names: Names;
  readonly #offset: number;

  constructor(names: Names, offset: number) {
    this.#names = names;
    this.#offset = offset;
  }

  /** An expression of the user's; throws where a name in it cannot be told. */
  expression(text: string): string {
    return translated(text, this.#meaning, (name, fault) => {
      throw new DapError(`ReferenceError: ${name} is not available here: ${fault}`);
    });
  }

  /** The same for code that runs later: it fails then. */
  later(text: string): string {
    return translated(text, this.#meaning, failing);
  }

  /** What the script calls a variable of the source. */
  inScript(name: string): string | undefined {
    return this.#meaning(name).text;
  }

  /** What the source calls a variable of the script; `end`: the offset at which its scope ends. */
  original(name: string, end: number): string {
    return this.#names.original(name, this.#offset, end);
  }

  /** Whether that is the one which the source's name means here. */
  means(original: string, name: string): boolean {
    return this.#names.meaning(original, this.#offset).text === name;
  }

  readonly #meaning = (name: string) => this.#names.meaning(name, this.#offset);
}

const hasWords = ({ condition, logMessage }: BreakRule) =>
  condition !== undefined || logMessage !== undefined;

function inWordsOf(names: NamesAt | undefined, rule: BreakRule): BreakRule {
  if (names === undefined) return rule;
  const { condition } = rule;
  return {
    ...rule,
    ...(condition === undefined ? {} : { condition: names.later(condition) }),
    translate: (text) => names.later(text),
  };
}

/** The same for a script that has only arrived. */
export async function ruleIn(
  { map, text: textOf }: Pick<Arrival, "map" | "text">,
  rule: BreakRule,
  { line, column }: Point,
): Promise<BreakRule> {
  if (map === undefined || !hasWords(rule)) return rule;
  const text = await textOf();
  const program = programOf(text, LONGEST);
  const names = program && map.names(program, text);
  return inWordsOf(names && new NamesAt(names, offsetOf(text, line, column)), rule);
}

export class OriginalNames {
  readonly #tools: Tools;
  readonly #scripts = new Map<string, Promise<Script | undefined>>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Undefined where the script is the source itself. */
  async at({ scriptId, lineNumber, columnNumber }: Protocol.Debugger.Location): Promise<NamesAt | undefined> {
    const script = await this.#script(scriptId);
    return script && new NamesAt(script.names, offsetOf(script.text, lineNumber, columnNumber ?? 0));
  }

  /** A breakpoint's rule as it is evaluated at a place of this script. */
  async rule(rule: BreakRule, location: Protocol.Debugger.Location): Promise<BreakRule> {
    return hasWords(rule) ? inWordsOf(await this.at(location), rule) : rule;
  }

  /** Of a place in its script. */
  async offset(location: Protocol.Debugger.Location | undefined): Promise<number | undefined> {
    const script = location && (await this.#script(location.scriptId));
    return script && offsetOf(script.text, location.lineNumber, location.columnNumber ?? 0);
  }

  /** A live edit has replaced its text. */
  forget(scriptId: string): void {
    this.#scripts.delete(scriptId);
  }

  #script(scriptId: string): Promise<Script | undefined> {
    const known = this.#scripts.get(scriptId);
    if (known !== undefined) return known;
    const made = this.#make(scriptId);
    made.catch(() => this.#scripts.delete(scriptId));
    if (this.#scripts.size >= KEPT) this.#scripts.clear();
    this.#scripts.set(scriptId, made);
    return made;
  }

  async #make(scriptId: string): Promise<Script | undefined> {
    const script = this.#tools.scripts.get(scriptId);
    const map = script === undefined ? undefined : await this.#tools.maps.of(script);
    if (map === undefined) return undefined;
    const text = await this.#tools.texts.text(scriptId);
    const program = programOf(text, LONGEST);
    return program && { names: map.names(program, text), text };
  }
}
