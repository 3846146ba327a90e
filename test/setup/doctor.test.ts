/** `sonde doctor`: what it says of a machine, and its exit status. */
import { expect, test } from "vitest";
import { createSonde } from "../support/sonde.ts";
import { pathWith, withoutAdapters } from "./machine.ts";

test("a machine with Node only: everything that is here works", async () => {
  const sonde = createSonde();
  withoutAdapters(sonde);
  const { status, stdout } = await sonde.run("doctor", { env: { PATH: pathWith(sonde) } });
  const text = sonde.normalize(stdout);
  expect(text).toMatch(/^ok +node +v<node-version> +<node>$/m);
  expect(text).toMatch(/^ok +runtime folder +\S+ +mode 0700, yours$/m);
  expect(text).toMatch(/^ok +configuration +none, defaults +\(<home>\/config\.toml\)$/m);
  expect(text).toMatch(/^(ok|note|bad) +ptrace +\S/m);
  expect(text).toMatch(/^languages\nok +javascript +node +\S+\/node$/m);
  expect(text).toMatch(/^not on this machine: .*go/m);
  expect(text).toMatch(/^none +delve +- +.*`sonde setup go` installs it$/m);
  expect(text).toMatch(/^ok +node +\S+ +<node> +(tested|experimental)/m);
  expect(status).toBe(0);
});

test("a language whose debugger is missing: status 1 and the command that helps", async () => {
  const sonde = createSonde();
  withoutAdapters(sonde);
  const PATH = pathWith(sonde, { go: "exit 1" });
  const { status, stdout } = await sonde.run("doctor", { env: { PATH } });
  expect(stdout).toMatch(/^missing +go +- +\S+\/go is here; `sonde setup go` installs it$/m);
  expect(stdout).toMatch(/not everything works/);
  expect(status).toBe(1);
  const answer = await sonde.json<{ ok: boolean }>("doctor", { env: { PATH } });
  expect(answer).toMatchObject({ ok: true, status: 1, data: { ok: false } });
});

test("what changed or broke since the daemon started is noticed", async () => {
  const sonde = createSonde();
  withoutAdapters(sonde);
  const env = { PATH: pathWith(sonde) };
  await sonde.text("status", { env });
  sonde.config("[limits]\nframes = 5\n");
  expect(await sonde.text("doctor", { env })).toMatch(/^note +configuration .*changed after the daemon/m);
  sonde.config("[limits]\nframs = 5\n");
  const broken = await sonde.run("doctor", { env });
  expect(broken.status).toBe(1);
  expect(broken.stdout).toMatch(
    /^bad +configuration .*config\.toml:2: there is no key limits\.frams; did you mean frames\?$/m,
  );
});

test("--verify debugs a sample with what is found", async () => {
  const sonde = createSonde();
  withoutAdapters(sonde);
  const { stdout } = await sonde.run("doctor --verify", {
    env: { PATH: pathWith(sonde) },
    timeoutMs: 60_000,
  });
  expect(stdout).toMatch(/^trying node …$/m);
  expect(stdout).toMatch(/^ok +node .* tried: stopped at sample\.js:2, answer = 42$/m);
});

test("what the configuration asks for is taken or refused, never replaced", async () => {
  const sonde = createSonde();
  sonde.config('[adapters.lldb]\npath = "/nonexistent/lldb-dap"\n');
  sonde.write("a.c", "int main(void) { return 0; }\n");
  const { status, stdout } = await sonde.run("doctor");
  expect(stdout).toMatch(
    /^bad +configuration +adapters\.lldb\.command names .*, which was not found: .*\/nonexistent\/lldb-dap/m,
  );
  expect(stdout).toContain("not everything works");
  expect(status).toBe(1);
  const refusal = await sonde.refusal("start a.c --build");
  expect(refusal).toMatchObject({
    code: "ADAPTER_MISSING",
    message: expect.stringContaining("(adapters.lldb.command), which was not found"),
    hint: expect.stringContaining("fix adapters.lldb.command"),
  });
});

test("a default that is not installed is not replaced either, where it would be used", async () => {
  const sonde = createSonde();
  sonde.config('[defaults]\nadapter = "codelldb"\n');
  sonde.write("a.c", "int main(void) { return 0; }\n");
  sonde.write("a.js", "debugger;\n");
  expect(await sonde.refusal("start a.c --build")).toMatchObject({
    code: "ADAPTER_MISSING",
    message: expect.stringContaining("the configuration names CodeLLDB (defaults.adapter)"),
  });
  expect(await sonde.text("start a.js")).toMatch(/^stopped: /);
});
