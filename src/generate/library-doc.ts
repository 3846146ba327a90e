/** docs/library.md: the public names with their declarations and comments, as they are shipped. */
import type ts from "typescript5";
import { libraryAnswers } from "./library-answers.ts";
import { libraryCalls } from "./library-calls.ts";
import {
  type Declarations,
  libraryDeclarations,
  loadCompiler,
  type PublicName,
} from "./library-declarations.ts";

/** Longer than the rest together, and told elsewhere. */
const ELSEWHERE: Record<string, string> = {
  CommandArguments:
    "By command name: what it takes. [commands.md](commands.md) has every command with its arguments.",
  CommandResults:
    "By command name: what it answers, the same as with `--json`. [answers.schema.json](answers.schema.json) has every shape.",
  DebugProtocol: "The types of the Debug Adapter Protocol's specification.",
  Events: "By event: its body, in the specification's types.",
  Requests:
    "By request: its arguments (`args`) and the body of its answer (`body`), in the specification's types.",
  ReverseRequests: "The same for what an adapter asks us: `runInTerminal`, `startDebugging`.",
};

/** Spelled out call by call. */
const SPELLED_OUT = /^(Attach|Crash|Diff|Hang|Launch|Probe|Run|Test|Trace)?Options$/;

const INTRODUCTION = `# The library

Generated from \`src/index.ts\` by \`npm run generate\`.

\`\`\`js
import { launch } from "sonde";

const session = await launch({ program: "orders.js", breakpoints: ["orders.js:23"] });
try {
  console.log(session.opened); // the first stop: where, source, values, stack
  const stepped = await session.next();
  const types = await session.print("orders.map(one => typeof one.count)");
} finally {
  await session.stop();
}
\`\`\`

ES modules and CommonJS, Node 20 and later, with types.

- **Modes.** \`createSonde()\`: a debugger in this process, with events, gone when it is closed. \`createSonde({ mode: "daemon" })\`: the
  daemon of the command line; sessions are shared with it by name, and there are no events (\`session.wait()\` waits for a stop in either).
- **Answers** are the data that the command prints with \`--json\`: [their shapes](#answers).
- **Ends.** \`session.stop()\`, \`sonde.close()\` or \`await using\`: what was launched is ended, what was attached to runs on. An open session
  keeps the process alive.
- **Cancelling** by \`signal\`: the call fails with CANCELLED; a launch or a run that was given up leaves nothing running.
- **Failures** are \`SondeError\`s: \`code\` in words, \`message\` what happened, \`hint\` what to call instead.
- **Agents.** \`createBridge()\` makes an agent's own loop one that can be paused, stepped and changed while it runs: [Agents](#agents).
- **Places.** Debuggers that were set up, configuration and kept traces are those of the command line; \`SONDE_HOME\` moves them.

[examples/](../examples) has programs that run: \`find-a-bug.mjs\`, \`runtime-feedback.mjs\`, \`trace-and-diff.mjs\`; [examples/agent](../examples/agent)
is a whole agent.
`;

/** What is called, in the order a reader needs it; what is not named here belongs to the protocol. */
const CHAPTERS: Record<string, string[]> = {
  Sessions: ["createSonde", "Sonde", "launch", "attach", "Session"],
  "Whole runs": ["getRuntimeFeedback", "probe", "trace", "diff", "crash", "hang", "test"],
  Agents: ["createBridge", "AgentBridge", "anthropicMiddleware", "bridgedFetch", "aiSdkMiddleware"],
  Failures: ["SondeError"],
};

export function libraryMarkdown(root: string, fresh: Readonly<Record<string, string>>): string {
  const declarations = libraryDeclarations(root, fresh);
  const compiler = loadCompiler(root);
  const source = compiler.createSourceFile(
    "index.d.ts",
    declarations.text,
    compiler.ScriptTarget.Latest,
    true,
  );
  const values = new Set(source.statements.flatMap((one) => runtimeName(compiler, one)));
  const told = new Set(Object.values(CHAPTERS).flat());
  const { names } = declarations;
  const sections = (all: readonly PublicName[]) => all.map((one) => section(declarations, one));
  return [
    INTRODUCTION,
    libraryAnswers(),
    ...Object.entries(CHAPTERS).flatMap(([title, list]) => [
      `## ${title}\n`,
      ...sections(list.map((name) => ({ name, as: name }))),
    ]),
    libraryCalls(declarations.declared),
    "## The Debug Adapter Protocol, without sessions\n",
    ...sections(names.filter(({ name }) => values.has(name) && !told.has(name))),
    "## Types\n",
    ...sections(names.filter(({ name }) => !values.has(name) && !SPELLED_OUT.test(name))),
  ].join("\n");
}

/** What exists when the program runs. */
function runtimeName(compiler: typeof ts, statement: ts.Statement): string[] {
  const named = compiler.isFunctionDeclaration(statement) || compiler.isClassDeclaration(statement);
  return named && statement.name ? [statement.name.text] : [];
}

function section({ declared, names }: Declarations, { name, as }: PublicName): string {
  const elsewhere = ELSEWHERE[name];
  if (elsewhere !== undefined) return `### ${as}\n\n${elsewhere}\n`;
  const text = declared.get(name);
  if (text === undefined) throw new Error(`docs/library.md tells of ${name}, which is not public`);
  const comment = /^\/\*\*[\s\S]*?\*\/\n/.exec(text)?.[0] ?? "";
  const [, told] = /\btypeof (\w+);$/.exec(text) ?? []; // says nothing without what it is the type of
  const whole = [text.slice(comment.length), ...(told === undefined ? [] : [declared.get(told) ?? ""])];
  const code = whole.map((one) => shown(one, names)).join("\n\n");
  const help = prose(comment);
  return `### ${as}\n\n${help === "" ? "" : `${help}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** Under the names that are exported, and without what only the compiler needs. */
function shown(code: string, names: readonly PublicName[]): string {
  const renamed = names.filter(({ name, as }) => name !== as);
  const outer = renamed.reduce(
    (text, { name, as }) =>
      text.replace(
        new RegExp(`((?:^(?:class|interface|type)|extends|implements|keyof|[:<|&(]) ?)\\b${name}\\b`, "gm"),
        `$1${as}`,
      ),
    code.replace(/^declare /m, ""),
  );
  return outer.replace(/^ *(#private|private constructor\(\));\n/gm, "");
}

function prose(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/\s*$/g, "")
    .replace(/^ *\* ?/gm, "")
    .trim();
}
