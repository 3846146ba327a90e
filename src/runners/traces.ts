/** Places and comparisons in what runners print about a failure. */
import type { Compared, Place } from "./runner.ts";

/** Of a JavaScript stack: `at f (file:///a/b.ts:3:4)`, `at /a/b.js:3:4`; mocha makes paths relative. */
export function scriptPlaces(stack: string): Place[] {
  return [...stack.matchAll(/^\s+at (?:.*? \()?(?:file:\/\/)?([^\s()][^\n()]*?):(\d+):\d+\)?$/gm)]
    .map(([, file = "", line]) => ({ file, line: Number(line) }))
    .filter(({ file }) => !/\/node_modules\/|^node:/.test(file));
}

/** Of a Python traceback, as Python prints it. */
export function tracebackPlaces(text: string): Place[] {
  return [...text.matchAll(/^\s*File "([^"\n]+)", line (\d+)/gm)].map(([, file = "", line]) => ({
    file,
    line: Number(line),
  }));
}

/** `TypeError: not a number` */
export function typed(text: string): { type?: string; message: string } {
  const [, type, message = ""] =
    /^([\p{L}_$][\p{L}\p{N}_$.]*)(?: \[[^\]\n]*\])?(?:: (.*))?$/su.exec(text) ?? [];
  const named = type !== undefined && /(Error|Exception|Failure|Warning|Exit|Interrupt|Skipped)$/.test(type);
  return named ? { type, message: message.trim() } : { message: text.trim() };
}

const FORMS: { form: RegExp; labels: [string, string] }[] = [
  // Jest's matchers.
  { form: /^\s*Expected: (.+)\n\s*Received: (.+)$/m, labels: ["expected", "received"] },
  // Chai's sentences, which vitest uses as well.
  {
    form: /^expected ([^\n]+?) to (?:be|equal|deeply equal|strictly equal|eql|loosely equal|loosely deep-equal) ([^\n]+?)(?: \/\/ [^\n]*)?$/m,
    labels: ["actual", "expected"],
  },
  // node:assert.
  { form: /^(.+) (?:!==|!=|notDeepEqual) (.+)$/m, labels: ["actual", "expected"] },
];

export function comparedIn(message: string): Compared[] {
  for (const { form, labels } of FORMS) {
    const [, first, second] = form.exec(message) ?? [];
    if (first === undefined || second === undefined) continue;
    return [
      { label: labels[0], value: first.trim() },
      { label: labels[1], value: second.trim() },
    ];
  }
  return [];
}

/** `assert_eq!` and pytest's `assert a == b` do not say which of the two was expected. */
export function sides(left: string, right: string): Compared[] {
  return [
    { label: "left", value: left.trim() },
    { label: "right", value: right.trim() },
  ];
}
