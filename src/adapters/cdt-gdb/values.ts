/** Values as gdb prints them: the adapter shows an array by its address or its length, and a pointer's target a level deeper. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { execute, type FramePlace, miString, textOf, valueText } from "./mi.ts";

/** What it says instead of failing. */
const FAILED = "Error: could not evaluate expression";
/** Values that are asked for one by one, at most. */
const MOST_TEXTS = 60;

export class Values {
  readonly #frames = new Map<number, FramePlace>();
  /** Which frame a list of variables is of. */
  readonly #lists = new Map<number, number>();
  readonly #locals = new Set<number>();

  #last: Promise<unknown> = Promise.resolve();

  /** The adapter keeps what it knows of a frame in one list: two requests at a time would both fill it. */
  #inTurn(ask: () => Promise<DebugProtocol.Response>): Promise<DebugProtocol.Response> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => {}); // told to the one who asked
    return answer;
  }

  /** The program has moved. */
  clear(): void {
    this.#frames.clear();
    this.#lists.clear();
    this.#locals.clear();
  }

  addFrame(id: number, place: FramePlace): void {
    this.#frames.set(id, place);
  }

  scopes(frameId: number, scopes: readonly DebugProtocol.Scope[]): DebugProtocol.Scope[] {
    return scopes.map((scope) => {
      const registers = scope.name === "Registers";
      this.#lists.set(scope.variablesReference, frameId);
      if (!registers) this.#locals.add(scope.variablesReference);
      return { ...scope, presentationHint: registers ? "registers" : "locals" };
    });
  }

  async variables(args: DebugProtocol.VariablesArguments, wire: Wire): Promise<unknown> {
    const answer = await this.#inTurn(() => wire.ask("variables", args));
    if (!answer.success) throw new Error(textOf(answer));
    let variables: DebugProtocol.Variable[] = answer.body?.variables ?? [];
    const frameId = this.#lists.get(args.variablesReference);
    if (frameId === undefined) return { variables };
    if (this.#locals.has(args.variablesReference)) {
      variables.push(...(await this.#entered(frameId, variables, wire)));
      // A name that a block has taken is listed for what it hides too, with the value of what hides it.
      variables = [...new Map(variables.map((one) => [one.name, one])).values()];
    }
    for (const { variablesReference } of variables) this.#lists.set(variablesReference, frameId);
    const [target] = variables;
    if (variables.length === 1 && target?.name.startsWith("*") && target.variablesReference > 0)
      return this.variables({ variablesReference: target.variablesReference }, wire);
    const whole = variables.map((one, index) =>
      index < MOST_TEXTS ? this.#whole(one, frameId, wire) : Promise.resolve(one),
    );
    return { variables: await Promise.all(whole) };
  }

  /** The adapter lists a call's variables once: those of a block that was entered later are not among them. */
  async #entered(
    frameId: number,
    listed: readonly DebugProtocol.Variable[],
    wire: Wire,
  ): Promise<DebugProtocol.Variable[]> {
    const names = new Set((await this.#there(frameId, wire)).map(({ name }) => name));
    const missing = [...names].filter((name) => !listed.some((one) => one.name === name));
    const found = missing.map(async (name): Promise<DebugProtocol.Variable[]> => {
      const { success, body } = await this.#inTurn(() =>
        wire.ask("evaluate", { expression: name, frameId, context: "watch" }),
      );
      if (!success || body.result === FAILED) return [];
      const { result: value, type, variablesReference } = body;
      return [{ name, evaluateName: name, value, type, variablesReference }];
    });
    return (await Promise.all(found)).flat();
  }

  async #there(frameId: number, wire: Wire): Promise<{ name: string; arg?: string }[]> {
    const place = this.#frames.get(frameId);
    if (place === undefined) return [];
    const where = `--thread ${place.threadId} --frame ${place.level}`;
    const answer = await execute(wire, `-stack-list-variables ${where} --no-values`);
    return answer.body?.result?.variables ?? [];
  }

  /** The names of a frame's arguments, which it lists among the locals. */
  async arguments({ frameId }: { frameId: number }, wire: Wire): Promise<{ names: string[] }> {
    const there = await this.#there(frameId, wire);
    return { names: there.filter(({ arg }) => arg === "1").map(({ name }) => name) };
  }

  async evaluate(args: DebugProtocol.EvaluateArguments, wire: Wire): Promise<unknown> {
    const { expression, frameId } = args;
    if (args.context === "repl" && frameId === undefined) return consoleCommand(expression, wire);
    const answer = await this.#inTurn(() => wire.ask("evaluate", args));
    if (!answer.success || answer.body.result === FAILED)
      throw new Error(await this.#reason(expression, frameId, answer, wire));
    const { result, type, variablesReference } = answer.body;
    if (frameId !== undefined) this.#lists.set(variablesReference, frameId);
    const found = { name: expression, value: result, type, variablesReference, evaluateName: expression };
    const { value } = await this.#whole(found, frameId, wire);
    return { ...answer.body, result: value };
  }

  /** Where a value has parts, the adapter's text for it says little. Not for calls and assignments: asking twice would do them twice. */
  async #whole(
    variable: DebugProtocol.Variable,
    frameId: number | undefined,
    wire: Wire,
  ): Promise<DebugProtocol.Variable> {
    const { evaluateName, type = "", variablesReference } = variable;
    const place = this.#frames.get(frameId ?? -1);
    const isPointer = /[*&]\s*(const)?$|\(\*/.test(type);
    if (place === undefined || evaluateName === undefined || variablesReference === 0 || isPointer)
      return variable;
    if (!/^[\w.[\]>*&: -]+$/.test(evaluateName) || /--|\+\+/.test(evaluateName)) return variable;
    const text = await valueText(wire, evaluateName, place);
    return "value" in text ? { ...variable, value: text.value } : variable;
  }

  /** The adapter forgets why; gdb says it again. */
  async #reason(
    expression: string,
    frameId: number | undefined,
    answer: DebugProtocol.Response,
    wire: Wire,
  ): Promise<string> {
    const place = this.#frames.get(frameId ?? -1);
    if (!answer.success || place === undefined) return textOf(answer);
    const again = await valueText(wire, expression, place);
    return "error" in again ? again.error : FAILED;
  }
}

/** A command of gdb's own, as its user would type it. */
async function consoleCommand(command: string, wire: Wire): Promise<unknown> {
  const answer = await execute(wire, `-interpreter-exec console ${miString(command)}`);
  if (!answer.success) throw new Error(textOf(answer));
  return { result: (answer.body?.console ?? []).join(""), variablesReference: 0 };
}
