/** Folded stacks: a stack a line, its frames joined by semicolons, and its weight. What flame graph tools read. Pure. */
import { type Frame, type Profile, ProfileBuilder } from "../profile.ts";

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

const ROW = /^(.*\S)\s+(\d+(?:\.\d+)?)$/;
const PLACE = /^(.*) \((.+?)(?::(\d+))?\)$/;

/** Nothing if it is not that. Weights are of whatever kind they are: as given. */
export function fromFolded(text: string): Profile | undefined {
  const builder = new ProfileBuilder("ns");
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [, stack, weight] = ROW.exec(line) ?? [];
    if (stack === undefined || weight === undefined) return undefined;
    const frames = stack.split(";").map((one) => builder.frame(frameOf(one)));
    builder.add(frames, Number(weight));
  }
  return builder.build();
}

function frameOf(text: string): Frame {
  if (text === "(idle)") return { name: text, kind: "idle" };
  const [, name, file, line] = PLACE.exec(text) ?? [];
  if (name === undefined || file === undefined) return { name: text };
  return { name, file, ...(line === undefined ? {} : { line: Number(line) }) };
}
