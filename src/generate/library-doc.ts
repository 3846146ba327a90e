/** docs/library.md: the public names with their declarations and comments, as they are shipped. */
import type ts from "typescript5";
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
};

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

It works from ES modules and from CommonJS (\`const { launch } = require("sonde")\`), on Node 20 and later, with types for both.

- **Two modes.** \`createSonde()\` holds a debugger in this process: nothing is shared, events are told, and all of it is gone when it is closed
  or the process ends. \`createSonde({ mode: "daemon" })\` goes through the daemon of the command line: a session that was started there can be
  used here by its name, and the other way round. There are no events through the daemon; \`session.wait()\` waits for a stop in either mode.
- **Answers** are the data that the command of the same name prints with \`--json\`; \`call(command, args)\` reaches every command.
- **Ends.** \`session.stop()\` and \`sonde.close()\`, or \`await using\` where the language has it (TypeScript, Node 24): what was launched is
  ended, what was attached to runs on. An open session keeps the process alive.
- **Arguments** are those of the command in [commands.md](commands.md), in camel case; what can be given several times is a list:
  \`trace({ command: ["node", "app.js"], function: ["add"] })\`, \`trace({ command, at: ["app.js:12=total,count"] })\`,
  \`probe({ command, locations: ["app.js:12"], eval: ["total"] })\`.
- **Cancelling.** Every call takes a \`signal\`; it then fails with CANCELLED, and a launch or a run that was given up leaves nothing running.
  A program that was told to run on in a session goes on.
- **Failures** are \`SondeError\`s: \`code\` in words, \`message\` what happened, \`hint\` what to do.
- **Places.** Set-up debuggers, configuration and kept traces are those of the command line; \`SONDE_HOME\` moves them.

[examples/](../examples) has programs that run: \`find-a-bug.mjs\`, \`runtime-feedback.mjs\`, \`trace-and-diff.mjs\`.
`;

/** What is called, in the order a reader needs it; what is not named here belongs to the protocol. */
const CHAPTERS: Record<string, string[]> = {
  Sessions: ["createSonde", "Sonde", "launch", "attach", "Session"],
  "Whole runs": ["getRuntimeFeedback", "probe", "trace", "diff", "crash", "hang", "test"],
  Failures: ["SondeError"],
};

export function libraryMarkdown(root: string): string {
  const declarations = libraryDeclarations(root);
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
    ...Object.entries(CHAPTERS).flatMap(([title, list]) => [
      `## ${title}\n`,
      ...sections(list.map((name) => ({ name, as: name }))),
    ]),
    "## The Debug Adapter Protocol, without sessions\n",
    ...sections(names.filter(({ name }) => values.has(name) && !told.has(name))),
    "## Types\n",
    ...sections(names.filter(({ name }) => !values.has(name))),
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
