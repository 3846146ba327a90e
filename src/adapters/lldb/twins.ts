/**
 * Several breakpoints at one line. lldb-dap keeps one per line, with the condition, count and message of the last that is asked for: the
 * place that a command runs to would use up the user's own. All but one are set as copies of that one (lldb_copies.py).
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Args = DebugProtocol.SetBreakpointsArguments;
type Answer = DebugProtocol.SetBreakpointsResponse["body"];
type Wanted = { asked: DebugProtocol.SourceBreakpoint; key: string; place: string };

/** Of a file. */
interface File {
  /** By place: what lldb-dap was asked for. */
  first: Map<string, string>;
  /** By what was asked. */
  twins: Map<string, { id: number; answer: DebugProtocol.Breakpoint }>;
}

const REFUSED = "the debugger keeps only one per place; combine both in one condition";

export class Twins {
  readonly #files = new Map<string, File>();
  /** Of a copy lldb-dap does not write the log message. */
  readonly #logs: boolean;

  constructor({ tells }: { tells: boolean }) {
    this.#logs = tells;
  }

  async set(args: Args, wire: Wire, set: (sent: Args) => Promise<Answer>): Promise<Answer> {
    const path = args.source.path ?? "";
    const before = this.#files.get(path) ?? { first: new Map(), twins: new Map() };
    const wanted = keyed(args.breakpoints ?? []);
    const first = firsts(wanted, before);
    const sent = wanted.filter((one) => first.get(one.place) === one.key || !this.#canCopy(one));
    const answer = await set({ ...args, breakpoints: sent.map(({ asked }) => asked) });
    const answers = new Map(sent.map((one, index) => [one.key, answer.breakpoints[index]]));
    const twins: File["twins"] = new Map();
    for (const one of wanted) {
      if (answers.has(one.key)) continue;
      const known =
        before.twins.get(one.key) ?? (await copied(one, answers.get(first.get(one.place) ?? ""), wire));
      if (known !== undefined) twins.set(one.key, known);
    }
    this.#files.set(path, { first, twins });
    const gone = [...before.twins].filter(([key]) => !twins.has(key)).map(([, { id }]) => id);
    if (gone.length > 0) await command(wire, `breakpoint delete ${gone.join(" ")}`).catch(() => {}); // it has ended
    const breakpoints = wanted.map(
      ({ key }) => answers.get(key) ?? twins.get(key)?.answer ?? { verified: false, message: REFUSED },
    );
    return { ...answer, breakpoints };
  }

  #canCopy({ asked }: Wanted): boolean {
    return this.#logs || asked.logMessage === undefined;
  }
}

/** Equal ones are told apart by their number. */
function keyed(breakpoints: readonly DebugProtocol.SourceBreakpoint[]): Wanted[] {
  const seen = new Map<string, number>();
  return breakpoints.map((asked) => {
    const text = JSON.stringify(asked);
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { asked, key: `${text} ${count}`, place: `${asked.line}:${asked.column ?? ""}` };
  });
}

/** By place: the one that lldb-dap is asked for, the same as before where that is still wanted. */
function firsts(wanted: readonly Wanted[], before: File): Map<string, string> {
  const free = wanted.filter(({ key }) => !before.twins.has(key));
  const kept = free.filter(({ key, place }) => before.first.get(place) === key);
  return new Map(
    [...free]
      .reverse()
      .concat(kept)
      .map(({ key, place }) => [place, key]),
  );
}

async function copied(
  { asked }: Wanted,
  told: DebugProtocol.Breakpoint | undefined,
  wire: Wire,
): Promise<{ id: number; answer: DebugProtocol.Breakpoint } | undefined> {
  if (told?.id === undefined) return undefined;
  const condition = Buffer.from(asked.condition ?? "").toString("hex");
  const said = await command(wire, `script lldb_hits.copy(${told.id}, "${condition}")`).catch(() => "");
  const { id } = JSON.parse(/^sonde (\{.*\})$/m.exec(said)?.[1] ?? "{}") as { id?: number };
  return id === undefined ? undefined : { id, answer: { ...told, id } };
}
