/** `cargo test`. Each target is an executable of its own; cargo says by which words one that failed is run again. */
import { among, base, parts, without } from "./command-line.ts";
import type { Compared, Failure, Report, Runner } from "./runner.ts";
import { sides } from "./traces.ts";

const TAKES = among(
  "-p --package --exclude --bin --test --example --bench -F --features -j --jobs --profile --target --target-dir --manifest-path --color --config -Z --message-format",
);
const TARGETS =
  "-p --package --exclude --workspace --all --lib --bin --bins --test --tests --example --examples --bench --benches --all-targets --doc".split(
    " ",
  );

export const cargoTest: Runner = {
  name: "cargo test",
  recognise: (words) => {
    const first = words.findIndex((word) => base(word) === "cargo");
    const at = words.findIndex((word, index) => index > first && (word === "test" || word === "t"));
    const between = words.slice(first + 1, at);
    if (first < 0 || at < 0 || !between.every((word) => /^[-+]/.test(word))) return undefined;
    return { head: words.slice(0, at + 1), rest: words.slice(at + 1) };
  },
  survey: (line, name) => ({
    complete: true,
    command: () => {
      const { options, others, own } = taken(line.rest);
      const filter = name === undefined ? others : [name.replace(/^.*? › /, "")];
      return [
        ...line.head,
        "--no-fail-fast",
        ...without(options, ["--no-fail-fast"]).flat(),
        ...filter,
        "--",
        ...own,
      ];
    },
    env: { CARGO_TERM_COLOR: "never", RUST_BACKTRACE: "0" },
    read: ({ stdout, stderr }) => reportOf(stdout, stderr),
  }),
  single: (line, failure) => {
    const { options, own } = taken(line.rest);
    const [target = [], exact = []] = [failure.again?.slice(1), failure.again?.slice(0, 1).filter(Boolean)];
    const kept = target.length === 0 ? options : without(options, TARGETS);
    const args = own.filter((word) => !/^--(exact|nocapture|test-threads=.*)$/.test(word));
    return {
      command: [
        ...line.head,
        ...without(kept, ["--no-fail-fast"]).flat(),
        ...target,
        "--",
        ...args,
        ...["--exact", ...exact, "--test-threads=1", "--nocapture"],
      ],
      env: { RUST_BACKTRACE: "0" },
    };
  },
  traced: "rust",
  catches: ["uncaught"],
  /** The closure that the test harness is given, around the test itself. */
  owns: ({ name }, above) => name === `${above?.name}::{{closure}}`,
  hides: ({ name }, all) =>
    /^(left|right)_val$/.test(name) || (name === "kind" && all.some((one) => one.name === "left_val")),
  chatter:
    /^$|^running \d+ tests?$|^test .* \.\.\. $|^\s+(Finished|Compiling|Running) |^note: run with|^thread '.*panicked at |^assertion .* failed|^ *(left|right): |^test \S+ \.\.\. \w+$|^test result: /,
  told: {
    from: /^failures:$/,
    to: /^test result: /,
    printed: { from: /^---- .* std(out|err) ----$/, to: /^failures:$/ },
  },
};

/** What follows `--` is the test binary's. */
function taken(rest: readonly string[]) {
  const end = rest.indexOf("--");
  const mine = end < 0 ? rest : rest.slice(0, end);
  return { ...parts(mine, TAKES), own: end < 0 ? [] : rest.slice(end + 1) };
}

function reportOf(stdout: string, stderr: string): Report | undefined {
  const blocks = stdout.split(/^running \d+ tests?$/m).slice(1);
  if (blocks.length === 0) return undefined;
  const again = [...stderr.matchAll(/^error: (?:test|doctest) failed, to rerun pass `([^`]*)`/gm)].map(
    ([, words = ""]) => words.split(" "),
  );
  // A target that was killed has no result.
  const failed = blocks.filter((block) => !/^test result: ok/m.test(block));
  const sum = (what: string) =>
    blocks.reduce(
      (all, block) => all + Number(new RegExp(`^test result: .* (\\d+) ${what}`, "m").exec(block)?.[1] ?? 0),
      0,
    );
  return {
    passed: sum("passed"),
    skipped: sum("ignored"),
    failures: failed.flatMap((block, at) => failuresIn(block, again[at] ?? [], failed.length > 1)),
  };
}

function failuresIn(block: string, target: string[], several: boolean): Failure[] {
  const names = [...block.matchAll(/^test (.+?)(?: - should panic)? \.\.\. FAILED$/gm)].map(
    ([, name = ""]) => name,
  );
  if (names.length === 0)
    return [{ name: target.join(" "), places: [], compared: [], again: ["", ...target] }];
  return names.map((name) => {
    const at = block.indexOf(`\n---- ${name} stdout ----\n`);
    const section =
      at < 0 ? "" : (block.slice(at + 1).split(/^(?:---- .* stdout ----|failures:)$/m)[1] ?? "");
    const [, file, line] = /panicked at (.+?):(\d+):\d+:?$/m.exec(section) ?? [];
    const message = saidIn(section);
    return {
      name: several ? `${target.join(" ")} › ${name}` : name,
      ...(file === undefined ? {} : { type: "panic" }),
      message,
      places: file === undefined ? [] : [{ file, line: Number(line) }],
      compared: comparison(message),
      again: [name, ...target],
    };
  });
}

/** After the line that names the place, or all of it: a test that returns an error does not panic. */
function saidIn(section: string): string {
  return section
    .replace(/^[\s\S]*?panicked at .*\n/, "")
    .replace(/^(stack backtrace:|note: )[\s\S]*/m, "")
    .trim();
}

function comparison(message: string): Compared[] {
  const [, left, right] = /^\s*left: ([\s\S]+?)\n\s*right: ([\s\S]+)$/m.exec(message) ?? [];
  return left === undefined || right === undefined ? [] : sides(left, right);
}
