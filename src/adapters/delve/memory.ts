/** Memory by address. dlv's own request takes only references that it has given out; its command takes any address. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { refusalText } from "./plain-texts.ts";

/** The command's own limit. */
const MOST_AT_ONCE = 1000n;
/** Never across the border of a page, so that what fails is what cannot be read. */
const PAGE = 4096n;

export async function readMemory(
  wire: Wire,
  { memoryReference, offset = 0, count }: DebugProtocol.ReadMemoryArguments,
): Promise<{ address: string; data: string; unreadableBytes?: number }> {
  const start = BigInt(memoryReference) + BigInt(offset);
  const end = start + BigInt(count);
  const read: Buffer[] = [];
  let at = start;
  while (at < end) {
    const size = [end - at, MOST_AT_ONCE, PAGE - (at % PAGE)].reduce((a, b) => (a < b ? a : b));
    const expression = `dlv examinemem -fmt hex -count ${size} -size 1 0x${at.toString(16)}`;
    const answer = await wire.ask("evaluate", { expression, context: "repl" });
    if (!answer.success) break;
    read.push(bytesIn(answer.body.result));
    at += size;
  }
  return {
    address: `0x${start.toString(16)}`,
    data: Buffer.concat(read).toString("base64"),
    ...(at < end ? { unreadableBytes: Number(end - at) } : {}),
  };
}

/** `0xc000:   0x05   0x00` */
function bytesIn(listing: string): Buffer {
  const lines = listing.split("\n").map((line) => line.replace(/^0x[0-9a-f]+:/, ""));
  return Buffer.from(lines.flatMap((line) => line.match(/0x[0-9a-f]{2}\b/g) ?? []).map(Number));
}

export async function writeMemory(
  wire: Wire,
  { memoryReference, offset = 0, data }: DebugProtocol.WriteMemoryArguments,
): Promise<unknown> {
  const start = BigInt(memoryReference) + BigInt(offset);
  const bytes = Buffer.from(data, "base64");
  for (const [index, byte] of bytes.entries()) {
    const address = `0x${(start + BigInt(index)).toString(16)}`;
    const answer = await wire.ask("evaluate", {
      expression: `call *(*uint8)(${address}) = ${byte}`,
      context: "repl",
    });
    if (!answer.success) throw new Error(`${address} cannot be written: ${refusalText(answer)}`);
  }
  return { bytesWritten: bytes.length };
}

/** Where a pointer points: it is shown as what is there. */
export async function pointedTo(
  wire: Wire,
  expression: string,
  frameId: number | undefined,
): Promise<{ memoryReference?: string }> {
  const answer = await wire.ask("evaluate", {
    expression: `uintptr(${expression})`,
    context: "watch",
    frameId,
  });
  const address = answer.success ? /0x[0-9a-f]+/.exec(answer.body.result)?.[0] : undefined;
  return address === undefined ? {} : { memoryReference: address };
}
