/** A recorded answer with what was decided about its tool calls: as the agent saw it. */
import { type ReadBody, wholeText } from "../explain/fields.ts";
import { answerReader } from "../wire/answers/index.ts";
import type { SseEvent, ToolPart } from "../wire/answers/reader.ts";
import { editAnswer, toolsIn } from "../wire/edit-answer.ts";
import type { GateStep, Ruling } from "../wire/gates/gate.ts";
import { toolGate } from "../wire/gates/index.ts";
import type { HttpWire } from "../wire/routes.ts";
import { EventCutter, SseDecoder } from "../wire/sse.ts";
import type { TapeCall } from "./tape.ts";

/** `bytes` as they are if nothing was decided. */
export async function editedAnswer(
  call: TapeCall,
  wire: HttpWire,
  isStream: boolean,
  bytes: Buffer,
  readBody: ReadBody,
): Promise<Buffer> {
  if (call.rulings.size === 0) return bytes;
  const rulings = new Map<string, Ruling>();
  for (const [id, ruling] of call.rulings) {
    if (ruling.do === "cancel") rulings.set(id, ruling);
    else
      rulings.set(id, {
        do: "run",
        input: JSON.parse(await wholeText(ruling.after, readBody)),
        edited: true,
      });
  }
  const rule = ({ id, input }: ToolPart): Ruling => rulings.get(id) ?? { do: "run", input, edited: false };
  if (isStream) return editedStream(wire, bytes, rule);
  const text = bytes.toString("utf8");
  return Buffer.from(editAnswer(wire, text, toolsIn(wire, text).map(rule)));
}

function editedStream(wire: HttpWire, bytes: Buffer, rule: (tool: ToolPart) => Ruling): Buffer {
  const reader = answerReader(wire);
  const gate = toolGate(wire);
  const cutter = new EventCutter();
  const out: Buffer[] = [];
  const follow = (steps: readonly GateStep[]): void => {
    for (const step of steps) {
      if ("pass" in step) out.push(step.pass);
      else follow(gate.settle(step.ask.map(rule)));
    }
  };
  for (const raw of cutter.push(bytes)) {
    const event = eventIn(raw);
    follow(gate.take({ raw, ...(event && { event }), tools: event ? reader.read(event) : [] }));
  }
  return Buffer.concat([...out, ...gate.end(), cutter.rest()]);
}

function eventIn(raw: Buffer): SseEvent | undefined {
  let found: SseEvent | undefined;
  new SseDecoder((event) => {
    found = event;
  }).feed(raw);
  return found;
}
