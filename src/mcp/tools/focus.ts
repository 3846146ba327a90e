/** Looking at another frame or thread than the session does, and leaving it looking where it did. */
import type { CallResult } from "../../client/client.ts";
import type { Arguments } from "../arguments.ts";
import { records, textOf } from "../data.ts";
import type { Call } from "../tool.ts";

export async function focused(
  call: Call,
  { frame_id, thread_id }: Arguments,
  look: () => Promise<CallResult>,
): Promise<CallResult> {
  if (frame_id === undefined && thread_id === undefined) return call.alone(look);
  return call.alone(async () => {
    const told: string[] = [];
    // Each of these answers with a snapshot, and what is new in one is not told again.
    const select = async (command: string, number?: number, ask = call.ask) => {
      const { data } = await ask(command, number === undefined ? {} : { number });
      told.push(...newIn(data));
      return data;
    };
    const before = await select("frame");
    const frame = numberAt(before, "frame", "index");
    const thread = numberAt(before, "thread", "id");
    const otherThread = thread_id !== undefined && thread_id !== thread;
    const otherFrame = frame_id !== undefined && (otherThread || frame_id !== frame);
    try {
      if (otherThread) await select("thread", thread_id);
      if (otherFrame) await select("frame", frame_id);
      const answer = await look();
      return told.length === 0 ? answer : { ...answer, text: `${answer.text}${told.join("\n")}\n` };
    } finally {
      // What was evaluated may have let the program run: then there is nothing to go back to.
      if (otherThread && thread !== undefined) await select("thread", thread, call.putBack).catch(() => {});
      if ((otherThread || otherFrame) && frame !== undefined)
        await select("frame", frame, call.putBack).catch(() => {});
    }
  });
}

function numberAt(data: unknown, ...path: string[]): number | undefined {
  let value = data;
  for (const key of path) value = records([value])[0]?.[key];
  return typeof value === "number" ? value : undefined;
}

function newIn(data: unknown): string[] {
  const [snapshot] = records([data]);
  const [output] = records([snapshot?.output]);
  const notes = Array.isArray(snapshot?.notes) ? snapshot.notes.map(String) : [];
  return [...notes, ...records(output?.lines).map((line) => `| ${textOf(line.text)}`)];
}
