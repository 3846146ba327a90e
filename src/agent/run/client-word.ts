/** Which word of a command line is the agent, and which agent it is: `npx -y @anthropic-ai/claude-code -p hi`. Pure. */
import { basename } from "node:path";
import type { ClientName } from "./profiles/profile.ts";

export interface ClientWord {
  client: ClientName;
  at: number;
}

/** Options that take the next word, and how many words of its own come before the command. */
const WRAPPERS: Readonly<
  Record<string, { takes?: readonly string[]; own?: number; words?: readonly string[] }>
> = {
  env: { takes: ["-u", "--unset", "-C", "--chdir"] },
  time: {},
  nice: { takes: ["-n", "--adjustment"] },
  nohup: {},
  timeout: { takes: ["-s", "--signal", "-k", "--kill-after"], own: 1 },
  stdbuf: { takes: ["-i", "-o", "-e"] },
  caffeinate: { takes: ["-t", "-w"] },
  node: { takes: ["-r", "--require", "--import", "--env-file"] },
  bun: { words: ["run", "x"] },
  npx: { takes: ["-p", "--package"] },
  bunx: { takes: ["-p", "--package"] },
  pnpx: {},
  npm: { words: ["exec", "x"] },
  pnpm: { words: ["dlx", "exec"] },
  yarn: { words: ["dlx", "exec"] },
};

const PACKAGES: Readonly<Record<string, ClientName>> = {
  "@anthropic-ai/claude-code": "claude",
  "@openai/codex": "codex",
};

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** What is not known is left as it is: `unknown`, by its first word. */
export function clientWord(argv: readonly string[]): ClientWord {
  let i = 0;
  while (i < argv.length) {
    const word = argv[i] ?? "";
    const client = clientOf(word);
    if (client !== undefined) return { client, at: argv[i + 1] === "--" && argv.includes("npm") ? i + 1 : i };
    const wrapper = WRAPPERS[basename(word)];
    if (wrapper === undefined) break;
    i = behind(argv, i + 1, wrapper);
  }
  return { client: "unknown", at: 0 };
}

/** The first word that the wrapper runs. */
function behind(
  argv: readonly string[],
  from: number,
  { takes = [], own = 0, words = [] }: { takes?: readonly string[]; own?: number; words?: readonly string[] },
): number {
  let i = from;
  if (words.includes(argv[i] ?? "")) i++;
  for (; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") return i + 1 + own;
    if (takes.includes(word)) i++;
    else if (!word.startsWith("-") && !ASSIGNMENT.test(word)) return i + own;
  }
  return argv.length;
}

function clientOf(word: string): ClientName | undefined {
  const versionless = word.replace(/(?<=.)@[^@/]*$/, "");
  const ofPackage = PACKAGES[versionless];
  if (ofPackage !== undefined) return ofPackage;
  const name = basename(versionless).replace(/\.(exe|cmd|js|mjs|cjs)$/i, "");
  if (name === "claude" || name === "codex") return name;
  // node_modules/@openai/codex/bin/… under any name of the file
  for (const [inPackage, client] of Object.entries(PACKAGES))
    if (word.includes(`/${inPackage}/`)) return client;
  return undefined;
}
