/** Commands typed one after another, and all they printed, as one text for a golden file. */
import { marker } from "../support/markers.ts";
import type { Sonde } from "../support/sonde.ts";

/** `sonde` lines; `{file@marker}` becomes `file:line`, `{@file@marker}` just the line. */
export async function transcript(sonde: Sonde, commands: readonly string[]): Promise<string> {
  let text = "";
  for (const command of commands) {
    const line = place(sonde, command);
    const { status, stdout, stderr } = await sonde.run(words(line));
    text += `$ sonde ${line}\n${stdout}${stderr}${status === 0 ? "" : `[exit ${status}]\n`}\n`;
  }
  return sonde.normalize(text);
}

function place(sonde: Sonde, command: string): string {
  return command.replaceAll(
    /\{(@?)([^@{}]+)@([\w-]+)\}/g,
    (_, lineOnly: string, file: string, name: string) => {
      const line = marker(`${sonde.project}/${file}`, name);
      return lineOnly ? String(line) : `${file}:${line}`;
    },
  );
}

function words(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ""));
}
