import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cpuOf, distributionOf } from "../../../src/diagnostics/system/machine.ts";
import { createSonde } from "../../support/sonde.ts";

interface System {
  os: string;
  cpu: string;
  cores: number;
  sonde: string;
  node: string;
  nodeOnPath?: { path: string; version: string };
  adapters: { name: string; found: boolean; version?: string; path?: string }[];
  cwd: string;
  shell: string;
  terminal: string;
  limits: { openFiles?: number };
  environment: { shown: Record<string, string>; hidden: string[] };
}

describe("system", () => {
  test("tells OS, architecture, CPU, memory, versions, folder, shell and terminal in a few lines", async () => {
    const sonde = createSonde();
    const text = await sonde.text("system", {
      env: { SHELL: "/bin/zsh", TERM: "screen", TERM_PROGRAM: undefined },
    });
    expect(text).toMatch(/^os: \w+ \S+/);
    expect(text).toMatch(/\ncpu: .+, \d+ cores?\n/);
    expect(text).toMatch(/\nmemory: [\d.]+ GB, [\d.]+ [MG]B free\n/);
    expect(text).toMatch(/\nsonde \S+, node v\d+/);
    expect(text).toContain(`\nfolder: ${sonde.project}\n`);
    expect(text).toContain("\nshell: /bin/zsh, terminal: screen\n");
    expect(text.split("\n").length).toBeLessThan(14);
  });

  test("lists every adapter with version and path, or as not installed", async () => {
    const sonde = createSonde();
    const { adapters } = await sonde.ask<System>("system");
    expect(adapters.find(({ name }) => name === "node")).toMatchObject({
      found: true,
      version: expect.stringMatching(/^v\d/),
    });
    for (const { found, path } of adapters) if (!found) expect(path).toBeUndefined();
  });

  test("shows the Node on PATH if it is another than the daemon's", async () => {
    const sonde = createSonde();
    const folder = join(sonde.project, "bin");
    mkdirSync(folder);
    chmodSync(sonde.write("bin/node", "#!/bin/sh\necho v99.1.2\n"), 0o755);
    const { nodeOnPath, node } = await sonde.ask<System>("system", {
      env: { PATH: `${folder}:${process.env.PATH}`, SONDE_NODE: process.execPath },
    });
    expect(nodeOnPath).toEqual({ path: join(folder, "node"), version: "v99.1.2" });
    expect(node).toBe(process.version);
  });

  test("shows values only of environment names on the allow-list, and masks even those", async () => {
    const sonde = createSonde();
    const { environment } = await sonde.ask<System>("system", {
      env: { PLAIN_LOOKING: "not-a-secret-by-shape", TMUX: "https://me:hunter2x@example.org/", LC_ALL: "C" },
    });
    expect(environment.hidden).toContain("PLAIN_LOOKING");
    expect(environment.shown.LC_ALL).toBe("C");
    expect(environment.shown.TMUX).toMatch(/^https:\/\/me:\[masked:url-password:\w{4}\]@example\.org\/$/);
    expect(JSON.stringify(environment)).not.toContain("not-a-secret-by-shape");
  });
});

describe("what the system does not say", () => {
  test("Unknown CPU fallback", () => {
    expect(cpuOf([])).toBe("unknown");
    expect(cpuOf([{ model: "  " }])).toBe("unknown");
    expect(cpuOf([{ model: "AMD EPYC " }])).toBe("AMD EPYC");
  });

  test("a distribution without a name is left out", () => {
    expect(distributionOf("")).toBeUndefined();
    expect(distributionOf('NAME=Alpine\nVERSION="3"\n')).toBe("Alpine");
    expect(distributionOf('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')).toBe(
      "Debian GNU/Linux 12 (bookworm)",
    );
  });
});
