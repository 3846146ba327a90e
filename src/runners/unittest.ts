/** Python's unittest: `python -m unittest …`, or a test file that is run. It has no report but its text. */
import { base, splitAt } from "./command-line.ts";
import type { Failure, Runner } from "./runner.ts";
import { tracebackPlaces, typed } from "./traces.ts";

const RULE = /^={70}$/m;

export const unittest: Runner = {
  name: "unittest",
  recognise: (words) => {
    const module = words.findIndex((word, at) => word === "unittest" && words[at - 1] === "-m");
    if (module > 0) return { head: words.slice(0, module + 1), rest: words.slice(module + 1) };
    const found = splitAt(words, (name) => /^test.*\.py$|_tests?\.py$/.test(name));
    const python = words.some((word) => /^(python|pypy)[\d.]*$/.test(base(word)));
    return python || found?.head.length === 1 ? found : undefined;
  },
  survey: (line, name) => ({
    complete: true,
    command: () => [...line.head, ...line.rest, ...(name === undefined ? [] : ["-k", pattern(name)])],
    read: ({ stderr }) => {
      const [, run] = /^Ran (\d+) tests? in /m.exec(stderr) ?? [];
      if (run === undefined) return undefined;
      const failures = stderr.split(RULE).flatMap((block) => failureOf(block) ?? []);
      const skipped = Number(/skipped=(\d+)/.exec(stderr)?.[1] ?? 0);
      return { passed: Math.max(0, Number(run) - failures.length - skipped), skipped, failures };
    },
  }),
  single: (line, failure) => ({
    command: [...line.head, ...line.rest, ...(failure.again ?? [])],
    ...(failure.again?.length === 0
      ? { note: "it is not a test that can be run alone, so all are run" }
      : {}),
  }),
  together: ({ head, rest }) => ({ command: [...head, ...rest] }),
  traced: "python",
  catches: ["userUnhandled"],
  taken: ["raised"],
  hides: ({ type }) => type === "module",
  chatter: /^$|^[.FEsx]+$|^-{70}$|^Ran \d+ tests? in [\d.]+s$|^OK( \(.*\))?$/,
  told: { from: /^={70}$/, to: /^FAILED \(/ },
};

/** A pattern with a star is compared with the whole id of a test. */
function pattern(name: string): string {
  return `*${name.replace(/ .*$/s, "")}*`;
}

/** `FAIL: test_total (test_cart.CartTest.test_total)`; before Python 3.11 without the name inside. */
function failureOf(block: string): Failure | undefined {
  const [, , method = "", where = "", sub = ""] =
    /^\s*(FAIL|ERROR): (\S+) \(([^)\n]*)\)((?: [([][^\n]*)?)\n/.exec(block) ?? [];
  if (where === "") return undefined;
  const id = where.endsWith(`.${method}`) ? where : `${where}.${method}`;
  const trace = block.slice(block.indexOf("Traceback (most recent call last):"));
  const words = trace.split("\n");
  const at = words.findIndex((text, index) => index > 0 && text !== "" && !text.startsWith(" "));
  const end = words.slice(at).findIndex((text) => /^-{70}$/.test(text));
  const said = words
    .slice(at, end < 0 ? undefined : at + end)
    .join("\n")
    .trim();
  const { type, message } = typed(said);
  const [, actual, expected] = /^([^\n]+?) != ([^\n]+?)(?: : [^\n]*)?$/m.exec(message) ?? [];
  // A module that could not be loaded, or the set-up of a class, is no test of a name.
  const isTest =
    !/_FailedTest|^(setUp|tearDown)(Class|Module)$/.test(`${where} ${method}`.trim()) && /^\w+$/.test(method);
  return {
    name: /_FailedTest/.test(where) ? method : `${id}${sub}`,
    ...(type === undefined ? {} : { type }),
    message,
    places: tracebackPlaces(trace),
    compared:
      actual === undefined || expected === undefined
        ? []
        : [
            { label: "first", value: actual },
            { label: "second", value: expected },
          ],
    again: isTest && !/_FailedTest/.test(where) ? ["-k", `*${id}`] : [],
  };
}
