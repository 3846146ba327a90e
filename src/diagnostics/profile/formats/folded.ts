/** Folded stacks: a stack a line, its frames joined by semicolons, and its weight. What flame graph tools read. Pure. */
import { TooLarge } from "../limits.ts";
import { type Frame, type Profile, ProfileBuilder } from "../profile.ts";
import { weightOfOne } from "./weight-of-one.ts";

export function toFolded({ frames, samples }: Profile): string {
  const texts = frames.map(textOf);
  const rows = samples
    .filter(({ weight }) => weight > 0)
    .map(({ stack, weight }) => `${stack.map((at) => texts[at]).join(";")} ${Math.round(weight)}`);
  return rows.length === 0 ? "" : `${rows.sort().join("\n")}\n`;
}

/** Semicolons and line breaks part frames and stacks: in a name they are something else. */
function textOf({ name, file, line }: Frame): string {
  const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `${name}${place}`.replaceAll(";", ",").replace(/[\r\n]+/g, " ");
}

/** A longer stack or frame is not one. */
const MOST_CHARS = { row: 1 << 20, frame: 4096 };
const ROW = /^(.*\S)\s+(\d+(?:\.\d+)?)$/;
const PLACE = /^(.*) \((.+?)(?::(\d+))?\)$/;

/** As nanoseconds, which we write, less in all would hardly be a profile: then it is how often each stack was seen, as most tools write. */
const LEAST_NANOSECONDS = 1e7;

/** Nothing if it is not that. */
export function fromFolded(text: string, most?: number): Profile | undefined {
  const rows: { stack: string; weight: number }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    if (line.length > MOST_CHARS.row) throw new TooLarge("it has a line of more than a million characters");
    const [, stack, weight] = ROW.exec(line) ?? [];
    if (stack === undefined || weight === undefined) return undefined;
    rows.push({ stack, weight: Number(weight) });
  }
  const isTime = rows.reduce((sum, { weight }) => sum + weight, 0) >= LEAST_NANOSECONDS;
  const each = isTime ? weightOfOne(rows.map(({ weight }) => weight)) : 1;
  const builder = new ProfileBuilder(isTime ? "ns" : "samples", most);
  for (const { stack, weight } of rows) {
    const frames = stack.split(";").map((one) => builder.frame(frameOf(one)));
    builder.spend(frames.length);
    builder.add(frames, weight, Math.max(1, Math.round(weight / each)));
  }
  return builder.build();
}

function frameOf(text: string): Frame {
  if (text === "(idle)") return { name: text, kind: "idle" };
  const [, name, file, line] = (text.length > MOST_CHARS.frame ? undefined : PLACE.exec(text)) ?? [];
  if (name === undefined || file === undefined) return { name: text };
  return { name, file, ...(line === undefined ? {} : { line: Number(line) }) };
}
