/** What the contract does not ask of every language: modules, forks, exceptions under a step, tests by prove, detaching. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";

const look = 'exit !grep { -e "$_/Perl/LanguageServer.pm" } @INC';
const installed = spawnSync("perl", ["-e", look]).status === 0;
const timeout = 60_000;

const CART = `package Cart;
use strict;
sub new { return bless { items => [] }, shift }
sub add {
    my $self = shift;
    my ($item) = @_;
    push @{ $self->{items} }, $item;
    return scalar @{ $self->{items} };
}
1;
`;

test.runIf(installed)("a module that is loaded later, in a program that forks", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.write("lib/Cart.pm", CART);
  sonde.write(
    "app.pl",
    'use strict;\nuse FindBin;\nuse lib "$FindBin::Bin/lib";\nrequire Cart;\nmy $cart = Cart->new;\nmy $pid = fork;\nif (!$pid) { exit 6 + $cart->add("child") }\nwaitpid $pid, 0;\n$cart->add("parent");\nprint "code ", $? >> 8, "\\n";\n',
  );
  const started = await sonde.ask<MoveResult>(["start", "app.pl", "--break", "lib/Cart.pm:7"]);
  expect(started).toMatchObject({
    state: "stopped",
    snapshot: { frame: { function: "Cart::add", line: 7 }, unbound: [] },
  });
  expect(await sonde.ask(["print", "$item"])).toMatchObject({ value: '"parent"' });
  expect(await sonde.ask(["set", "$self->{items}[0]", '"first"'])).toMatchObject({ value: '"first"' });
  expect(await sonde.ask(["print", "scalar @{$self->{items}}"])).toMatchObject({ value: "1" });
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
  expect(await sonde.text("output")).toContain("code 7");
});

test.runIf(installed)(
  "package variables by their short names; arrays and hashes as what they are",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "app.pl",
      "use strict;\nour $count = 7;\nour %ages = (ann => 30);\nmy @one = (5);\nmy @none = ();\nmy %h = (a => 1);\nprint $count;\n",
    );
    await sonde.ask(["start", "app.pl", "--break", "app.pl:7"]);
    const value = async (expression: string) =>
      (await sonde.ask<{ value: string }>(["print", expression])).value;
    expect(await value("$count + 1")).toBe("8");
    expect(await value("$ages{ann}")).toBe("30");
    expect(await value("%ages")).toBe("{ann => 30}");
    expect(await value("%h")).toBe("{a => 1}");
    expect(await value("@one")).toBe("[5]");
    expect(await value("@none")).toBe("[]");
    expect((await sonde.refusal(["print", "$count + $cuont"])).message).toContain('Global symbol "$cuont"');
  },
);

test.runIf(installed)(
  "steps over and out of a call that dies go to what catches it",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    const source = [
      "use strict;",
      "sub inner {",
      "    my ($n) = @_;",
      '    die "inner $n\\n";',
      "}",
      "sub outer {",
      "    my $ok = eval {",
      "        inner(1);",
      "        1;",
      "    };",
      '    print "after $@";',
      "}",
      "outer();",
    ];
    sonde.write("dies.pl", source.join("\n"));
    await sonde.ask(["start", "dies.pl", "--break", "dies.pl:8"]);
    expect(await sonde.ask<MoveResult>("next")).toMatchObject({
      state: "stopped",
      snapshot: { reason: "step", frame: { line: 11, function: "outer" } },
    });
    await sonde.ask("stop");
    await sonde.ask(["start", "dies.pl", "--break", "dies.pl:4"]);
    expect(await sonde.ask<MoveResult>("finish")).toMatchObject({
      state: "stopped",
      snapshot: { frame: { line: 11, function: "outer" } },
    });
    expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
  },
);

test.runIf(installed)("a breakpoint set during a step does not end the step", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "long.pl",
    "use strict;\nsub work {\n    my $n = 0;\n    for (1 .. 150) {\n        select undef, undef, undef, 0.02;\n        $n++;\n    }\n    return $n;\n}\nmy $done = work();\nprint $done;\n",
  );
  await sonde.ask(["start", "long.pl", "--break", "long.pl:10"]);
  expect(await sonde.ask("next --no-wait")).toMatchObject({ state: "running" });
  await sonde.ask(["break", "long.pl:6", "--hit-count", "100000"]);
  await expect
    .poll(async () => JSON.stringify(await sonde.ask("breakpoint list")), { timeout: 3000 })
    .toContain('"state":"bound","hits":0');
  expect(await sonde.ask<MoveResult>("await --timeout 20")).toMatchObject({
    state: "stopped",
    snapshot: { reason: "step", frame: { line: 11 } },
  });
});

test.runIf(installed)("a test run by prove", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.write("t/sum.t", 'use Test::More tests => 1;\nmy $sum = 2 + 3;\nis $sum, 5, "sum";\n');
  const started = await sonde.ask<MoveResult>(["start", "--break", "t/sum.t:3", "--", "prove", "t/sum.t"]);
  expect(started).toMatchObject({ state: "stopped", snapshot: { frame: { line: 3 } } });
  expect(await sonde.ask(["print", "$sum"])).toMatchObject({ value: "5" });
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
});

test.runIf(installed)("a program that is let go while it runs goes on alone", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "slow.pl",
    'my $i = 0;\nwhile ($i < 100) {\n    select undef, undef, undef, 0.02;\n    $i++;\n}\nopen my $file, ">", "done.txt";\nprint $file "$i\\n";\n',
  );
  await sonde.ask("start slow.pl --no-wait");
  await sonde.ask(["break", "slow.pl:4", "--hit-count", "60"]);
  await sonde.ask("detach");
  await expect
    .poll(() => spawnSync("cat", [`${sonde.project}/done.txt`]).stdout.toString(), { timeout: 15_000 })
    .toBe("100\n");
});

test.runIf(installed)("attach to a running Perl is not for another adapter", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("perl/idle.pl");
  const program = sonde.program("perl", ["idle.pl"]);
  if (program.stdout) await once(program.stdout, "data");
  const { code, message, hint } = await sonde.refusal(["attach", String(program.pid)]);
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("a running Perl program cannot be attached to");
  expect(hint).toContain("sonde start");
});

test.runIf(installed)(
  "a line with several statements: that what comes before the last has run is said",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    sonde.write("several.pl", 'my $n = 1;\n$n = 2; $n = 3; $n = 4;\nprint "a; b $n\\n";\n');
    const first = await sonde.text("start several.pl --break several.pl:2 --break several.pl:3");
    expect(first).toContain("Perl stops before the last of them");
    expect(first).toContain("$n = 3");
    expect(await sonde.text("continue")).not.toContain("several statements");
  },
);
