/** Python, C, Rust and Go programs: as a command, as a process, as a session. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../../support/builds.ts";
import { borrowSonde, type Sonde } from "../../support/sonde.ts";
import { type ProfileData, started } from "./support.ts";

interface Language {
  name: string;
  source: string;
  hot: string;
  line: number;
  exitCode: number;
  /** Builds it; what runs it, without its arguments. */
  built(sonde: Sonde): string[];
}

function compiled(sonde: Sonde, ...command: string[]): string[] {
  execFileSync(command[0] ?? "", command.slice(1), {
    cwd: sonde.project,
    stdio: "pipe",
    env: { ...process.env, GOFLAGS: "-mod=mod" },
  });
  return [join(sonde.project, "busy")];
}

const LANGUAGES: Language[] = [
  {
    ...{ name: "Python", source: "busy.py", hot: "hot", line: 6, exitCode: 4 },
    built: () => ["python3", "busy.py"],
  },
  {
    ...{ name: "C", source: "busy.c", hot: "hot", line: 6, exitCode: 5 },
    built: (sonde) => compiled(sonde, "gcc", "-g", "-O2", "busy.c", "-o", "busy"),
  },
  {
    ...{ name: "Rust", source: "busy.rs", hot: "busy::hot", line: 6, exitCode: 7 },
    built: (sonde) => compiled(sonde, "rustc", "-g", "-O", "busy.rs", "-o", "busy"),
  },
  {
    ...{ name: "Go", source: "busy.go", hot: "main.hot", line: 13, exitCode: 6 },
    built: (sonde) => compiled(sonde, "go", "build", "-o", "busy", "busy.go"),
  },
];

/** rustup's rustc is there also when no toolchain is. */
const RUNNABLE = LANGUAGES.filter(({ name }) => name !== "Rust" || compilerVersion("rust") !== undefined);

describe.each(RUNNABLE)("profile cpu of a $name program", ({ source, hot, line, exitCode, built }) => {
  test("a command: the hot function is first, and its exit code is said", async () => {
    await using sonde = borrowSonde();
    sonde.fixture(`profile/${source}`);
    const words = built(sonde);
    const profile = await sonde.ask<ProfileData>(["profile", "cpu", "--", ...words, "700"]);
    expect(profile.top[0]).toMatchObject({ name: hot, file: join(sonde.project, source) });
    // Where a function begins is not in all debug information: then it is the line that was seen most.
    expect(Math.abs((profile.top[0]?.line ?? 0) - line)).toBeLessThanOrEqual(3);
    expect(profile.top[0]?.selfShare).toBeGreaterThan(0.5);
    expect(profile.end).toEqual({ how: "program", exitCode });
  });

  test("a process, which runs on", async () => {
    await using sonde = borrowSonde();
    sonde.fixture(`profile/${source}`);
    const [command = "", ...args] = built(sonde);
    const pid = await started(sonde, command, [...args, "60000"]);
    const profile = await sonde.ask<ProfileData>(`profile cpu --pid ${pid} --seconds 0.7`);
    expect(profile.top[0]?.name).toBe(hot);
    expect(profile.end).toEqual({ how: "time" });
    expect(existsSync(`/proc/${pid}/status`)).toBe(true);
  });

  test("a session, which goes on", async () => {
    await using sonde = borrowSonde();
    sonde.fixture(`profile/${source}`);
    await sonde.ask(["start", "--no-wait", "--", ...built(sonde), "60000"]);
    const profile = await sonde.ask<ProfileData>("profile cpu --seconds 0.7");
    expect(profile.top[0]?.name).toBe(hot);
    expect(await sonde.ask("status")).toMatchObject({ sessions: [{ state: "running" }] });
    await sonde.ask("stop");
  });
});

test("a Go source is built with optimisation, and the binary is not left", async () => {
  await using sonde = borrowSonde();
  sonde.fixture("profile/busy.go");
  const profile = await sonde.ask<ProfileData>("profile cpu --seconds 20 busy.go -- 500");
  expect(profile.top[0]?.name).toBe("main.hot");
});

test("languages without an honest way are refused", async () => {
  await using sonde = borrowSonde();
  sonde.write("a.rb", "loop { }\n");
  expect(await sonde.refusal("profile cpu --seconds 1 a.rb")).toMatchObject({ code: "UNSUPPORTED" });
});
