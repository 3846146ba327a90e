/** Perl by Perl::LanguageServer, where both are installed. */
import { spawnSync } from "node:child_process";
import type { AdapterUnderTest } from "../adapter.ts";

function row(version: string): AdapterUnderTest {
  return {
    name: `perl ${version}`,
    title: "Perl (Perl::LanguageServer)",
    adapter: "perl",
    fixtures: "perl",
    file: (program) => `${program}.pl`,
    start: (program) => [`${program}.pl`],
    run: (program) => ({ command: "perl", args: [`${program}.pl`] }),
    code: (expression) => expression.replace(/(?<![.\w$])[a-z]\w*/g, "$$$&"),
    uncaught: { type: "RangeError", message: "cannot read 9 characters", exitCode: 255 },
    assign: (name, value) => `$${name} = ${value}`,
    skip: {
      "two threads stop each, and are told apart": "Perl's debugger hook does not follow threads",
      "attach, stop, detach: the process runs on":
        "Perl loads its debugger before the program; it cannot be put into a process that runs",
    },
  };
}

/** By its file: loading it needs more than the debugger does. */
function versions(): string[] {
  const look =
    'my ($f) = grep { -e } map { "$_/Perl/LanguageServer.pm" } @INC; open my $s, "<", $f or exit 1; print join("", <$s>) =~ /VERSION\\s*=\\s*.([\\d._]+)/';
  const { stdout, status } = spawnSync("perl", ["-e", look], { encoding: "utf8" });
  return status === 0 ? [stdout.trim()] : [];
}

export const perlRows: AdapterUnderTest[] = versions().map(row);
