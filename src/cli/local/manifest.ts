/** The generated list of commands, and finding one in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { LOCAL_COMMANDS } from "./declared.ts";
import type { Manifest, ManifestCommand } from "./manifest-shape.ts";

export function readManifest(path = join(import.meta.dirname, "manifest.json")): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch (thrown) {
    throw new SondeError("INTERNAL", `the list of commands cannot be read: ${(thrown as Error).message}`, {
      hint: "npm run build",
    });
  }
  const declared = new Set(manifest.commands.map(({ name }) => name));
  const missing = LOCAL_COMMANDS.filter(({ name }) => !declared.has(name));
  const groups = manifest.groups.some(({ name }) => name === "surfaces")
    ? manifest.groups
    : [...manifest.groups, { name: "surfaces", title: "Help, daemon, MCP and skills" }];
  return { ...manifest, groups, commands: [...manifest.commands, ...missing] };
}

/** The commands these words mean: one by name or alias, or a family (`breakpoint`) by its first word. */
export function findCommands(manifest: Manifest, words: string[]): ManifestCommand[] {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const typed = words.slice(0, length).join(" ");
    const exact = manifest.commands.filter(({ name, aliases }) => name === typed || aliases.includes(typed));
    const family = manifest.commands.filter(({ name }) => name.startsWith(`${typed} `));
    // Words after a command may be its arguments; after a family there can only be one of its commands.
    if (exact.length === 0 && family.length > 0 && words.length > length) throw noneOf(typed, words, family);
    if (exact.length + family.length > 0) return [...exact, ...family];
  }
  const typed = words[0] ?? "";
  const near = closest(typed, firstWords(manifest));
  throw new SondeError("UNKNOWN_COMMAND", `there is no command \`${typed}\``, {
    hint: near ? `did you mean \`${near}\`?` : "`sonde help` lists the commands",
  });
}

function noneOf(typed: string, words: string[], family: ManifestCommand[]): SondeError {
  const wanted = words.slice(0, typed.split(" ").length + 1).join(" ");
  const near = closest(
    wanted,
    family.map(({ name }) => name),
  );
  return new SondeError("UNKNOWN_COMMAND", `there is no command \`${wanted}\``, {
    hint: near ? `did you mean \`${near}\`?` : `\`sonde help ${typed}\` lists the commands`,
  });
}

/** Everything that may stand directly after `sonde`. */
export function firstWords(manifest: Manifest): string[] {
  const words = manifest.commands.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((each) => each.split(" ")[0] ?? ""),
  );
  return [...new Set(words)].sort();
}
