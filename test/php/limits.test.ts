/** What PHP's debugger cannot do is refused with a reason and another way. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const installed = spawnSync("php", ["-r", 'exit(phpversion("xdebug") ? 0 : 1);']).status === 0;
const timeout = 60_000;

test.runIf(installed)("pause of a running program", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("php/endless.php");
  expect(await sonde.ask("start endless.php --no-wait")).toMatchObject({ state: "running" });
  const { code, message, hint } = await sonde.refusal("pause");
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("Xdebug cannot interrupt PHP");
  expect(hint).toContain("sonde restart");
  expect(await sonde.refusal("next")).toMatchObject({ code: "NOT_STOPPED" });
  await sonde.ask("stop");
});

test.runIf(installed)("attach to a running PHP is not for another adapter", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("php/endless.php");
  const program = sonde.program("php", ["endless.php"]);
  if (program.stdout) await once(program.stdout, "data");
  const { code, message, hint } = await sonde.refusal(["attach", String(program.pid)]);
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("a running PHP program cannot be attached to");
  expect(hint).toContain("sonde start");
  expect(program.exitCode).toBeNull();
});

const DEEP = `<?php
class Item { public ?Item $next = null; private array $log = ["made"]; public function __construct(public string $name) {} }
$items = [new Item("one"), "k" => new Item("two")];
$items[0]->next = $items["k"];
$items["k"]->next = new Item("three");
$many = range(0, 299);
echo "end";
`;

test.runIf(installed)("parts of parts, and every element", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.write("deep.php", DEEP);
  await sonde.ask("start deep.php --break deep.php:7");
  const text = await sonde.text(["print", "$items", "--depth", "4"]);
  // As deep as it goes: the third's name under the second's under the first's.
  expect(text).toMatch(/^ {6}name = "two"/m);
  expect(text).toMatch(/^ {8}name = "three"/m);
  expect(text.match(/name = "one"/g)).toHaveLength(1);
  const { handle = "" } = await sonde.ask<{ handle?: string }>(["print", "$many"]);
  const page = await sonde.ask<{ values: { value: string }[] }>(["variables", handle, "--start", "298"]);
  expect(page.values.map(({ value }) => value)).toEqual(["298", "299"]);
  expect(await sonde.ask(["variables", handle])).toMatchObject({ more: 200 });
  expect(await sonde.ask(["set", "$many[0]", "5"])).toMatchObject({ name: "$many[0]", value: "5" });
  // What has no name: the parts that came with it, and never another's.
  const made = await sonde.text(["print", 'array_merge($items, [new Item("four")])', "--depth", "4"]);
  expect(made).toContain('name = "four"');
  expect(made.match(/name = "one"/g)).toHaveLength(1);
});
