/** Completion scripts: static text made from the manifest, so that pressing TAB never starts anything. */
import { SondeError } from "../../errors.ts";
import { firstWords } from "./manifest.ts";
import type { Manifest, ManifestCommand } from "./manifest-shape.ts";

const EVERYWHERE = ["--json", "--session", "--help"];

export function completionScript(manifest: Manifest, shell: string | undefined): string {
  if (shell === "bash") return bash(manifest);
  if (shell === "zsh") return zsh(manifest);
  if (shell === "fish") return fish(manifest);
  throw new SondeError(
    "BAD_ARGUMENT",
    `completion: ${shell ? `unknown shell \`${shell}\`` : "which shell?"}`,
    {
      hint: "sonde completion bash|zsh|fish",
    },
  );
}

/** What the words typed so far lead to: further words of a name, and the flags of a complete one. */
function wordsAfter(manifest: Manifest): Map<string, string[]> {
  const after = new Map<string, Set<string>>();
  const add = (key: string, words: string[]) => {
    const known = after.get(key) ?? new Set();
    for (const word of words) known.add(word);
    after.set(key, known);
  };
  for (const command of manifest.commands) {
    for (const name of [command.name, ...command.aliases]) {
      const [first = "", ...rest] = name.split(" ");
      if (rest.length > 0) add(first, [rest[0] ?? ""]);
      add(name, [...flagsOf(command), ...EVERYWHERE]);
    }
  }
  add("help", firstWords(manifest));
  add("completion", ["bash", "zsh", "fish"]);
  return new Map([...after].map(([key, words]) => [key, [...words]]));
}

function flagsOf({ flags }: ManifestCommand): string[] {
  return flags.map(({ name }) => name);
}

/** Shared by bash and zsh: `case` branches that set `words`. The longest name that fits what was typed wins. */
function branches(manifest: Manifest, line: (words: string) => string): string[] {
  return [...wordsAfter(manifest)]
    .sort(([a], [b]) => b.split(" ").length - a.split(" ").length || (a < b ? -1 : 1))
    .map(([name, words]) => `    ${quote(name)}|${quote(`${name} `)}*) ${line(words.join(" "))} ;;`);
}

function bash(manifest: Manifest): string {
  return `# sonde completion for bash: eval "$(sonde completion bash)"
_sonde() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=""
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$typed" in
    "") words=${quote(firstWords(manifest).join(" "))} ;;
${branches(manifest, (words) => `words=${quote(words)}`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sonde sonde
`;
}

function zsh(manifest: Manifest): string {
  return `#compdef sonde
# sonde completion for zsh: sonde completion zsh > "\${fpath[1]}/_sonde"
_sonde() {
  local typed="\${(j: :)words[2,CURRENT-1]}"
  local -a choices
  case "$typed" in
    "") choices=(${firstWords(manifest).join(" ")}) ;;
${branches(manifest, (words) => `choices=(${words})`).join("\n")}
  esac
  compadd -- $choices
  _files
}
if [ "$funcstack[1]" = "_sonde" ]; then _sonde "$@"; else compdef _sonde sonde; fi
`;
}

function fish(manifest: Manifest): string {
  const lines = ["# sonde completion for fish: sonde completion fish | source"];
  for (const word of firstWords(manifest)) {
    const command = manifest.commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    lines.push(
      `complete -c sonde -n __fish_use_subcommand -a ${quote(word)} -d ${quote(command?.summary ?? "")}`,
    );
  }
  for (const [name, words] of wordsAfter(manifest)) {
    const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    for (const word of words) {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${quote(word)}`;
      lines.push(`complete -c sonde -n ${quote(seen.join("; and "))} ${what}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
