/**
 * Breakpoints at one place. LLDB names all of them as the reason for a stop, also those whose condition is false; and beside each that has
 * a condition there is one of ours, which sees the visits at which it is false (lldb_copies.py). Nobody is told of those.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

export class Together {
  #witnesses = new Set<number>();

  /** To be called when breakpoints were set. */
  async set({ breakpoints = [] }: { breakpoints?: { condition?: string }[] }, wire: Wire): Promise<void> {
    if (this.#witnesses.size === 0 && breakpoints.every(({ condition }) => condition === undefined)) return;
    const said = await command(wire, "script lldb_hits.attend()").catch(() => ""); // it has ended
    this.#witnesses = new Set(JSON.parse(/^sonde (\[.*\])$/m.exec(said)?.[1] ?? "[]") as number[]);
  }

  /** The stop in words of the breakpoints that were hit; `ids`: those that LLDB names. */
  hit(body: Stopped, ids: readonly number[], wire: Wire, then: (body: Stopped) => void): void {
    const seen = ids.filter((id) => !this.#witnesses.has(id));
    const users = seen.filter((id) => id > 0);
    if (users.length < 2 || body.reason !== "breakpoint" || body.threadId === undefined) {
      then(withOnly(body, seen));
      return;
    }
    const words = `script lldb_hits.hit_of(${body.threadId}, [${seen.join(", ")}])`;
    void command(wire, words)
      .catch(() => "") // it has ended
      .then((said) => {
        const hit = JSON.parse(/^sonde (\[.*\])$/m.exec(said)?.[1] ?? "null") as number[] | null;
        then(withOnly(body, hit ?? seen));
      });
  }
}

/** LLDB's own words name them too: `breakpoint 3.1 4.1`. */
function withOnly(body: Stopped, ids: readonly number[]): Stopped {
  const plain = (text: string | undefined) =>
    text?.replace(/^breakpoint( -?\d+\.\d+)+/, (all) => {
      const kept = all.split(" ").filter((word, at) => at === 0 || ids.includes(Number.parseInt(word, 10)));
      return kept.length > 1 ? kept.join(" ") : all;
    });
  const { description, text } = body;
  return {
    ...body,
    ...(description === undefined ? {} : { description: plain(description) ?? "" }),
    ...(text === undefined ? {} : { text: plain(text) ?? "" }),
    hitBreakpointIds: [...ids],
  };
}
