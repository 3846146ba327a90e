/** Before `sys.monitoring`: code that calls us at a line does so just when a trace function would have been told of it. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { FIXTURES } from "../../support/sonde.ts";

const RECORDER = resolve(import.meta.dirname, "../../../src/trace/collectors/python-source/recorder");
const PROGRAMS = [
  resolve(FIXTURES, "python-hooks/syntax.py"),
  "textwrap=RESULT = wrap('the quick brown fox ' * 20, 17), dedent('   a\\n    b')",
  "difflib=RESULT = list(unified_diff(['a', 'b', 'x'] * 5, ['a', 'c'] * 6)), list(ndiff(['one'], ['ore']))",
  "shlex=RESULT = split('a \"b c\" d #f', comments=True)",
  "argparse=p = ArgumentParser(prog='x'); p.add_argument('-a', type=int); p.add_argument('b', nargs='*'); RESULT = p.parse_args(['-a', '4', 'u']), p.format_help()",
  "configparser=c = ConfigParser(); c.read_string('[a]\\nx=1\\ny=%(x)s'); RESULT = dict(c['a'])",
  "tokenize=import io; RESULT = [t.string for t in generate_tokens(io.StringIO('def f(a):\\n  return [a, 1.5]\\n').readline)]",
];

for (const version of ["3.8", "3.9", "3.10", "3.11"]) {
  const env = { ...process.env, PYENV_VERSION: version };
  const run = (...args: string[]) =>
    execFileSync(`python${version}`, args, { env, encoding: "utf8", stdio: "pipe" }).trim();
  const isThere = () => {
    try {
      return run("-c", "print(1)") === "1";
    } catch {
      return false;
    }
  };
  test.skipIf(!isThere())(`Python ${version}: hooks and a trace function see the same lines`, () => {
    expect(run("-B", resolve(FIXTURES, "python-hooks/compare.py"), RECORDER, ...PROGRAMS)).toBe("compared");
  });
}
