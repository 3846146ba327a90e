/** `sonde skills`: what is printed, where files go, and whose they are. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { SKILLS, skills } from "./skills.ts";

const NAMES = skills.map(({ name }) => name);
let sonde: Sonde;

beforeEach(() => {
  sonde = createSonde();
});

function inProject(...parts: string[]): string {
  return join(sonde.project, ...parts);
}

function read(...parts: string[]): string {
  return readFileSync(inProject(...parts), "utf8");
}

interface Data {
  installed: { folder: string; files: { path: string; outcome: string }[] }[];
}

describe("sonde skills", () => {
  test("list names every folder with its description, and starts no daemon", async () => {
    const text = await sonde.text("skills list");
    for (const { name, front } of skills) {
      expect(text).toContain(`${name}\n  ${/^description: (.*)$/m.exec(front)?.[1]}\n`);
    }
    expect(await sonde.ask("skills list")).toMatchObject({ skills: NAMES.map((name) => ({ name })) });
    expect(sonde.processes()).toEqual([]);
  });

  test("show prints the text as it is, also by its short name", async () => {
    const text = readFileSync(join(SKILLS, "debugger-python", "SKILL.md"), "utf8");
    expect(await sonde.text("skills show debugger-python")).toBe(text);
    expect(await sonde.text("skills show python")).toBe(text);
  });

  test("show prints the page that a skill links to, named as a reader of the link names it", async () => {
    const text = readFileSync(join(SKILLS, "debugger-python", "reference.md"), "utf8");
    expect(await sonde.text("skills show debugger-python reference.md")).toBe(text);
    expect(await sonde.text("skills show debugger-python/reference.md")).toBe(text);
    expect(await sonde.text("skills show python/reference.md")).toBe(text);
  });

  test.each([
    ["skills", "sonde skills list | show"],
    ["skills sell", "sonde skills list | show"],
    ["skills show", "debugger-python"],
    ["skills show debugger-pyhton", "did you mean `debugger-python`?"],
    ["skills show python nothing.md", "it has SKILL.md, reference.md"],
    ["skills show python/../x.md", "there is no skill"],
    ["skills install --to", "--to"],
    ["skills install --user --to x", "give one"],
    ["skills install --everywhere", "--everywhere"],
    ["skills install --for nobody", "--for takes claude, agents, both"],
    ["skills install --for claude --to x", "give one"],
  ])("%s is refused with what to type", async (words, part) => {
    const { status, stdout, stderr } = await sonde.run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(part);
  });

  test("has help", async () => {
    expect(await sonde.text("help skills install")).toContain("--force");
    expect(await sonde.text("skills install --help")).toContain("--user");
    const family = await sonde.text("skills --help");
    for (const option of ["--project", "--user", "--for claude|agents|both", "--to <folder>", "--force"])
      expect(family).toContain(option);
  });
});

describe("sonde skills install", () => {
  test("--to: whole skills, and only those that were named", async () => {
    const text = await sonde.text("skills install debugger-go python --to here");
    expect(text).toBe(
      `written    ${inProject("here/debugger-go")}\nwritten    ${inProject("here/debugger-python")}\n`,
    );
    for (const file of ["SKILL.md", "reference.md"])
      expect(read("here/debugger-go", file)).toBe(readFileSync(join(SKILLS, "debugger-go", file), "utf8"));
    expect(existsSync(inProject("here/debugger-nodejs"))).toBe(false);
  });

  test.each([
    { there: [], where: [".claude/skills", ".agents/skills"] },
    { there: [".claude"], where: [".claude/skills"] },
    { there: [".cursor"], where: [".agents/skills"] },
    { there: [".claude", ".agents"], where: [".claude/skills", ".agents/skills"] },
  ])("in a project with $there they go to $where", async ({ there, where }) => {
    execFileSync("git", ["init", "-q"], { cwd: sonde.project });
    mkdirSync(inProject("src/deep"), { recursive: true });
    for (const folder of there) mkdirSync(inProject(folder));
    const { installed } = await sonde.ask<Data>("skills install", { cwd: "src/deep" });
    const expected = where.flatMap((folder) => NAMES.map((name) => inProject(folder, name)));
    expect(installed.map(({ folder }) => folder)).toEqual(expected);
    expect(expected.filter((folder) => !existsSync(join(folder, "SKILL.md")))).toEqual([]);
  });

  test.each([
    { asked: "claude", where: [".claude/skills"] },
    { asked: "agents", where: [".agents/skills"] },
    { asked: "both", where: [".claude/skills", ".agents/skills"] },
  ])("--for $asked holds against what is there", async ({ asked, where }) => {
    mkdirSync(inProject(".cursor"));
    const { installed } = await sonde.ask<Data>(`skills install go --for ${asked}`);
    expect(installed.map(({ folder }) => folder)).toEqual(where.map((one) => inProject(one, "debugger-go")));
  });

  test("what was written is said, and why there", async () => {
    expect(await sonde.text("skills install go")).toBe(
      [
        `written    ${inProject(".claude/skills/debugger-go")}`,
        `written    ${inProject(".agents/skills/debugger-go")}`,
        `${inProject(".claude/skills")}: Claude Code looks there; nothing in this folder shows which agent you use (\`--for claude\` writes only this one)`,
        `${inProject(".agents/skills")}: Codex, Cursor, Gemini, Copilot, opencode look there; nothing in this folder shows which agent you use (\`--for agents\` writes only this one)`,
        "",
      ].join("\n"),
    );
    rmSync(inProject(".agents"), { recursive: true });
    const again = await sonde.text("skills install go");
    expect(again).toContain(
      `${inProject(".claude/skills")}: Claude Code looks there; there is .claude here\n`,
    );
    expect(again).not.toContain(".agents");
  });

  test("--user goes by what is in the home", async () => {
    mkdirSync(inProject("home/.codex"), { recursive: true });
    const { installed } = await sonde.ask<Data>("skills install --user", {
      env: { HOME: inProject("home") },
    });
    expect(installed.map(({ folder }) => folder)).toEqual(
      NAMES.map((name) => inProject("home/.agents/skills", name)),
    );
  });

  test("one folder that is a link to the other is written once", async () => {
    mkdirSync(inProject(".claude/skills"), { recursive: true });
    symlinkSync(".claude", inProject(".agents"));
    const { installed } = await sonde.ask<Data>("skills install go");
    expect(installed).toHaveLength(1);
    expect(existsSync(inProject(".claude/skills/debugger-go/SKILL.md"))).toBe(true);
  });
});

describe("a second install", () => {
  const FOLDER = "s/debugger-go";

  beforeEach(async () => {
    await sonde.text("skills install debugger-go --to s");
  });

  test("changes nothing", async () => {
    expect(await sonde.text("skills install debugger-go --to s")).toBe(`same       ${inProject(FOLDER)}\n`);
  });

  test("keeps what its owner changed, says so, and replaces it by --force", async () => {
    writeFileSync(inProject(FOLDER, "SKILL.md"), "mine");
    for (let time = 0; time < 2; time++) {
      const { status, stdout } = await sonde.run("skills install debugger-go --to s");
      expect(status).toBe(1);
      expect(stdout).toContain(`you changed it, so it was not replaced: ${inProject(FOLDER, "SKILL.md")}`);
      expect(stdout).toContain("`--force`");
      expect(read(FOLDER, "SKILL.md")).toBe("mine");
    }
    await sonde.text("skills install debugger-go --to s --force");
    expect(read(FOLDER, "SKILL.md")).toBe(readFileSync(join(SKILLS, "debugger-go/SKILL.md"), "utf8"));
  });

  test("brings files of an older version up to date, and takes away what the skill no longer has", async () => {
    const record = JSON.parse(read(FOLDER, ".sonde.json")) as { files: Record<string, string> };
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update("old text").digest("hex");
    for (const name of ["SKILL.md", "gone.md"]) {
      writeFileSync(inProject(FOLDER, name), "old text");
      record.files[name] = hash;
    }
    writeFileSync(inProject(FOLDER, "own-notes.md"), "mine");
    writeFileSync(inProject(FOLDER, ".sonde.json"), JSON.stringify(record));
    expect(await sonde.text("skills install debugger-go --to s")).toContain("updated");
    expect(read(FOLDER, "SKILL.md")).toBe(readFileSync(join(SKILLS, "debugger-go/SKILL.md"), "utf8"));
    expect(existsSync(inProject(FOLDER, "gone.md"))).toBe(false);
    expect(read(FOLDER, "own-notes.md")).toBe("mine");
  });

  test("does not touch a skill of the same name that is not from here", async () => {
    rmSync(inProject(FOLDER, ".sonde.json"));
    writeFileSync(inProject(FOLDER, "SKILL.md"), "somebody else's");
    const { status } = await sonde.run("skills install debugger-go --to s");
    expect({ status, text: read(FOLDER, "SKILL.md") }).toEqual({ status: 1, text: "somebody else's" });
  });
});

describe("what is in the way", () => {
  const ours = () => readFileSync(join(SKILLS, "debugger-go/SKILL.md"), "utf8");

  test.each([true, false])(
    "a link that leads elsewhere is not written through (to a file: %s)",
    async (there) => {
      const precious = inProject("precious.md");
      mkdirSync(inProject("s/debugger-go"), { recursive: true });
      if (there) writeFileSync(precious, "mine");
      symlinkSync(precious, inProject("s/debugger-go/SKILL.md"));
      const { status, stdout } = await sonde.run("skills install go --to s --force");
      expect(status).toBe(1);
      expect(stdout).toContain(
        `a link to ${precious}, outside the skills folder, so it was not replaced: ${inProject("s/debugger-go/SKILL.md")}\n`,
      );
      expect(stdout).not.toContain("`--force`");
      expect(existsSync(precious) ? readFileSync(precious, "utf8") : undefined).toBe(
        there ? "mine" : undefined,
      );
      expect(read("s/debugger-go/reference.md")).not.toBe("");
    },
  );

  test("nor is a skill's folder, nor the record of what was written", async () => {
    mkdirSync(inProject("elsewhere"));
    mkdirSync(inProject("s/debugger-python"), { recursive: true });
    symlinkSync(inProject("elsewhere"), inProject("s/debugger-go"));
    symlinkSync(inProject("elsewhere/record"), inProject("s/debugger-python/.sonde.json"));
    expect(await sonde.run("skills install go python --to s --force")).toMatchObject({ status: 1 });
    expect(readdirSync(inProject("elsewhere"))).toEqual([]);
  });

  test("a link from one folder of skills to the other is followed", async () => {
    for (const folder of [".claude/skills", ".agents/skills/debugger-go"])
      mkdirSync(inProject(folder), { recursive: true });
    symlinkSync("../../.agents/skills/debugger-go", inProject(".claude/skills/debugger-go"));
    await sonde.text("skills install go");
    expect(read(".agents/skills/debugger-go/SKILL.md")).toBe(ours());
  });

  test("a file for a folder, and a folder for a file, are told as that", async () => {
    writeFileSync(inProject("file"), "");
    mkdirSync(inProject("s/debugger-go/SKILL.md"), { recursive: true });
    expect(await sonde.run("skills install go --to file")).toMatchObject({
      status: 2,
      stderr: `error BAD_ARGUMENT: ${inProject("file")} is no folder\nhint: move the file away, or choose another place\n`,
    });
    expect(await sonde.run("skills install go --to s")).toMatchObject({
      status: 2,
      stderr: `error BAD_ARGUMENT: ${inProject("s/debugger-go/SKILL.md")} is a folder, and a file belongs there\nhint: move the folder away, or choose another place\n`,
    });
  });
});
