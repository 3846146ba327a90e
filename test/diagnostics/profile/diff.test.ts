/** profile diff: of a fast and a slow version, what got slower. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/diagnostics/profile/diff.ts";
import { ProfileBuilder } from "../../../src/diagnostics/profile/profile.ts";
import { borrowSonde } from "../../support/sonde.ts";
import { fileOf, type ProfileData } from "./support.ts";

interface Diff {
  per: string;
  slower: { name: string; delta: number; a?: object; b?: object }[];
  faster: { name: string }[];
}

/** A fixed amount of work: the slow version does ten times as much of it in one function. */
const VERSION = (factor: number, more = "") => `${more}
function parse(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s; }
function render(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * 7) % 1000003; return s; }
let all = 0;
for (let i = 0; i < 150; i++) all += parse(100_000 * ${factor}) + render(200_000);
console.log(all > 0);
`;

test("names what got slower, though its line has moved; also from files of every format", async () => {
  await using sonde = borrowSonde();
  sonde.write("app.js", VERSION(1));
  const fast = await sonde.ask<ProfileData>("profile cpu -- node app.js");
  sonde.write("app.js", VERSION(10, "// two lines\n// more\n"));
  const slow = await sonde.ask<ProfileData>("profile cpu -- node app.js");
  const diff = await sonde.ask<Diff>(`profile diff ${fast.id} ${slow.id}`);
  expect(diff.per).toBe("run");
  expect(diff.slower[0]).toMatchObject({ name: "parse", a: expect.anything(), b: expect.anything() });
  const text = await sonde.text(`profile diff ${fast.id} ${slow.id}`);
  expect(text).toMatch(
    /b takes (?:\d+ % more time|\d+ times the time of a) in all\nslower in b .*:\n {2}\+.* ±.* {2}parse {2}.* → .*app\.js:4\n/,
  );
  for (const kind of ["cpuprofile", "speedscope", "folded", "pprof"]) {
    const of = await sonde.ask<Diff>(["profile", "diff", fileOf(fast, kind), fileOf(slow, kind)]);
    expect([kind, of.slower[0]?.name]).toEqual([kind, "parse"]);
  }
  const back = await sonde.ask<Diff>(`profile diff ${slow.id} ${fast.id}`);
  expect(back.faster[0]?.name).toBe("parse");
});

// Go builds its pprof first where nobody has used it yet.
test("go reads what is written for it", { timeout: 120_000 }, async () => {
  await using sonde = borrowSonde();
  sonde.write("app.js", VERSION(3));
  const profile = await sonde.ask<ProfileData>("profile cpu -- node app.js");
  const top = execFileSync("go", ["tool", "pprof", "-top", fileOf(profile, "pprof")], { encoding: "utf8" });
  expect(top).toMatch(/Type: cpu/);
  expect(top).toMatch(/flat%.*\n.* parse\n/);
});

test("what cannot be compared is refused", async () => {
  await using sonde = borrowSonde();
  writeFileSync(join(sonde.project, "note.txt"), "not a profile\nat all\n");
  writeFileSync(join(sonde.project, "other.json"), '{"nodes": 1}');
  writeFileSync(join(sonde.project, "some.bin"), Buffer.from([0x1f, 0x8b, 1, 2, 3, 0]));
  writeFileSync(join(sonde.project, "a.folded"), "main;hot 10\nmain 2\n");
  for (const name of ["note.txt", "other.json", "some.bin", "nothing", "."])
    expect([name, await sonde.refusal(["profile", "diff", name, "a.folded"])]).toEqual([
      name,
      expect.objectContaining({ code: "BAD_ARGUMENT", status: 2 }),
    ]);
  expect(await sonde.refusal("profile diff p98765 p1")).toMatchObject({ code: "BAD_ARGUMENT" });
  expect(await sonde.refusal("profile show p98765")).toMatchObject({ code: "BAD_ARGUMENT" });
});

describe("compare", () => {
  function of(functions: Record<string, number>, file = "/a.js") {
    const builder = new ProfileBuilder("ns");
    for (const [name, samples] of Object.entries(functions))
      builder.add([builder.frame({ name, file })], samples * 1e6, samples);
    return { profile: builder.build(), seconds: 1 };
  }

  test("what is within the error of sampling is not named", () => {
    const { slower, faster, unsure } = compare(
      of({ same: 100, more: 100 }),
      of({ same: 110, more: 200 }),
      "run",
    );
    expect(slower.map(({ frame }) => frame.name)).toEqual(["more"]);
    expect(faster).toEqual([]);
    expect(unsure).toBe(1);
  });

  test("new and gone", () => {
    const { slower, faster } = compare(of({ old: 50 }), of({ fresh: 50 }), "second");
    expect(slower[0]).toMatchObject({ frame: { name: "fresh" }, a: undefined });
    expect(faster[0]).toMatchObject({ frame: { name: "old" }, b: undefined });
  });

  test("a function in another file is the same, if its name leaves no doubt", () => {
    const moved = compare(of({ hot: 50 }, "/old/app.js"), of({ hot: 500 }, "/new/app.js"), "run");
    expect(moved.faster).toEqual([]);
    expect(moved.slower).toMatchObject([
      { frame: { file: "/new/app.js" }, a: { samples: 50 }, b: { samples: 500 } },
    ]);
    const builder = new ProfileBuilder("ns");
    for (const file of ["/new/a.js", "/new/b.js"])
      builder.add([builder.frame({ name: "hot", file })], 500e6, 500);
    const doubtful = compare(of({ hot: 50 }, "/old/app.js"), { profile: builder.build(), seconds: 1 }, "run");
    expect(doubtful.slower.map(({ a }) => a)).toEqual([undefined, undefined]);
    expect(doubtful.faster).toMatchObject([{ b: undefined }]);
  });
});

test("a speedscope file holds to its schema's shape", async () => {
  await using sonde = borrowSonde();
  sonde.write("app.js", VERSION(1));
  const profile = await sonde.ask<ProfileData>("profile cpu -- node app.js");
  const file = JSON.parse(readFileSync(fileOf(profile, "speedscope"), "utf8"));
  expect(file.$schema).toBe("https://www.speedscope.app/file-format-schema.json");
  const [only] = file.profiles;
  expect(only).toMatchObject({ type: "sampled", unit: "nanoseconds", startValue: 0 });
  expect(only.samples).toHaveLength(only.weights.length);
  for (const stack of only.samples as number[][])
    for (const at of stack) expect(file.shared.frames[at]).toHaveProperty("name");
});
