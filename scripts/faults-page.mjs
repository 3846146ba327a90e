/** The table of `npm run faults`, for the terminal and as docs/faults.md. */

const COLUMNS = [
  "fault",
  "adapter",
  "runs",
  "right answers",
  "late",
  "wrong",
  "leftovers",
  "bytes lost unsaid",
];

/** Rows of one fault stand together, in the order of their names. */
function ordered(counts) {
  return counts.toSorted((a, b) => a.fault.localeCompare(b.fault) || a.adapter.localeCompare(b.adapter));
}

export function faultsTable(counts) {
  const rows = ordered(counts).map((one) => [
    one.fault,
    one.adapter,
    ...[one.runs, one.right, one.late, one.wrong, one.leftovers, one.bytesLost].map(String),
  ]);
  const sum = (key) => counts.reduce((all, one) => all + one[key], 0);
  const keys = ["runs", "right", "late", "wrong", "leftovers", "bytesLost"];
  const all = [...rows, ["**all**", "", ...keys.map((key) => String(sum(key)))]];
  const widths = COLUMNS.map((title, at) => Math.max(title.length, ...all.map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => pad(cell, widths[at], at)).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at < 2 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(COLUMNS), rule, ...all.map(line)].join("\n");
}

function pad(cell, width, column) {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width);
}

function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Part of the answers after a fault that took more than a second. */
export function lateShare(counts) {
  const times = counts.flatMap(({ answersMs }) => answersMs);
  return times.length === 0 ? 0 : times.filter((ms) => ms > 1000).length / times.length;
}

/** What is tried once and for all, not by chance. */
const ELSEWHERE = [
  [
    "idle exit as a command comes; daemon and client of different builds",
    "test/daemon/faults.test.ts, skew.test.ts",
  ],
  [
    "the private folder: owner, mode, links, a file in its place, a race",
    "test/faults/private-folder.test.ts, test/security",
  ],
  ["two writers of one log; a log replaced or cut while it is followed", "test/agent/store"],
  ["bytes that are no text, escapes, words that look like ours", "test/faults/output.test.ts"],
  ["huge, cyclic and hostile values; expressions that never end", "test/faults/values.test.ts"],
  ["200 breakpoints, 12 sessions, words that are wrong", "test/faults/limits.test.ts"],
  [
    "programs that fork, leave their group, read a terminal, change their user",
    "test/faults/processes.test.ts, groups.test.ts, stdin.test.ts",
  ],
  [
    "attach to what is traced, halted, a zombie, another user's, ending",
    "test/faults/attached.test.ts, halted.test.ts, test/native/attach.test.ts",
  ],
  ["sources that changed; odd paths and links", "test/faults/paths.test.ts, test/session/stale.test.ts"],
  ["the tests themselves killed midway", "test/support/support.test.ts"],
];

/** Rows that were played again, after something was mended, are of another version than the rest. */
function mixed(counts) {
  const versions = new Map();
  for (const one of counts) versions.set(one.version, [...(versions.get(one.version) ?? []), one]);
  if (versions.size <= 1) return "";
  const said = [...versions].map(([version, rows]) => `${rows.length} rows with ${version}`);
  return `\nNot all in one run: ${said.join(", ")}.\n`;
}

export function faultsPage(counts) {
  const seeds = [...new Set(counts.map(({ seed }) => seed))].sort();
  const times = counts.flatMap(({ answersMs }) => answersMs).sort((a, b) => a - b);
  const within = times.filter((ms) => ms <= 1000).length;
  const measured = ordered(counts).flatMap(({ fault, adapter, notes }) =>
    [...new Set(notes)].map((note) => {
      const times = notes.filter((one) => one === note).length;
      return `| ${fault} | ${adapter} | ${times > 1 ? `${times} times: ` : ""}${note} |`;
    }),
  );
  const findings = ordered(counts).flatMap(({ fault, adapter, findings: found }) =>
    found.map((one) => `- ${fault} · ${adapter}, ${one.replace(/\s+/g, " ").slice(0, 300)}`),
  );
  return `# Faults

Written by \`npm run faults\` (seed ${seeds.join(", ")}). Do not edit.
${mixed(counts)}
Every row is a fault that is really injected, against the built binary, real debuggers and real programs; only rows of the
adapter "scripted" use a debugger of the tests' own, which breaks the protocol on purpose. \`npm run faults -- --only "daemon killed" --seed ${seeds[0]}\`
plays some of them again; a row shows what came of its last run.

- **right answers**: runs in which every answer after the fault was true: a session that was hit is reported as ended, with the reason; one that was not
  hit still shows the values that its program writes to a file; an attached process works on and is traced by nobody. One exception counts as
  right if it is told: a debugger that is itself killed while an attached process of C or Go runs towards a breakpoint leaves that in its code,
  and the process may meet it before we can take it out, and die. How often that happened is under "Measured".
- **late**: runs in which an answer took more than a second longer than the same command takes without the fault, measured on the same machine
  under the same load just before. Not counted: the start of a new daemon where one is needed, a start or attach that was under way, and waits that end in a
  deadline of the configuration.
- **wrong**: runs with an answer that was not true, or with none.
- **leftovers**: processes that we started (known by a tag in their environment) and that were still there five seconds later, and
  private folders of a daemon that is gone.
- **bytes lost unsaid**: output that the program wrote, and that is neither shown nor counted as dropped.

Of ${times.length} answers after a fault, ${times.length === 0 ? 0 : ((100 * within) / times.length).toFixed(1)} % came within a second
(median ${percentile(times, 0.5)} ms, 95 % within ${percentile(times, 0.95)} ms, longest ${times.at(-1) ?? 0} ms; each without what the command costs anyway).

${faultsTable(counts)}
${measured.length === 0 ? "" : `\n## Measured\n\n| fault | adapter | measured |\n| --- | --- | --- |\n${measured.join("\n")}\n`}
## Tried elsewhere

Faults with one right answer, that chance adds nothing to, are ordinary tests:

| fault | tests |
| --- | --- |
${ELSEWHERE.map(([fault, tests]) => `| ${fault} | ${tests} |`).join("\n")}

## Found in this run

${findings.length === 0 ? "Nothing." : findings.join("\n")}
`;
}
