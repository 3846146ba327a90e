/** What the contract does not ask of every language: forks, and Ruby programs that a command starts. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde } from "../support/sonde.ts";

const installed = spawnSync("ruby", ["-e", 'Gem::Specification.find_by_name("debug")']).status === 0;
const timeout = 60_000;

test.runIf(installed)("a forked child stops by itself, and both end", { timeout }, async () => {
  const sonde = borrowSonde();
  const file = sonde.fixture("ruby/forks.rb");
  const place = `forks.rb:${marker(file, "child-first")}`;
  const started = await sonde.ask<MoveResult>(["start", "forks.rb", "--break", place]);
  expect(started).toMatchObject({ state: "stopped", snapshot: { frame: { function: "triple" } } });
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
  expect(await sonde.text("output")).toContain("child's code 42");
});

test.runIf(installed && spawnSync("rake", ["--version"]).status === 0)(
  "a task of rake",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    sonde.write("Rakefile", 'task :sum do\n  total = 2 + 3\n  puts "total #{total}"\nend\n');
    const started = await sonde.ask<MoveResult>(["start", "--break", "Rakefile:3", "--", "rake", "sum"]);
    expect(started).toMatchObject({ state: "stopped", snapshot: { frame: { line: 3 } } });
    expect(await sonde.ask("print total")).toMatchObject({ value: "5" });
    expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
  },
);

test.runIf(installed)(
  "threads by their names, or by where they are, without folders",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "app.rb",
      'ready = Queue.new\nThread.new { Thread.current.name = "loader"; ready << 1; sleep }\nThread.new { ready << 1; sleep }\n2.times { ready.pop }\nputs 1\n',
    );
    await sonde.ask("start app.rb --break app.rb:5");
    const { threads } = await sonde.ask<{ threads: { name: string }[] }>("threads");
    expect(threads.map(({ name }) => name.replace(/^#\d+ /, "")).sort()).toEqual([
      "app.rb:3",
      "app.rb:5",
      "loader",
    ]);
  },
);
