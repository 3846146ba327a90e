/** Many generated programs in one executable, each with a file of its own: compiled, run, recorded by a collector, and compared. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GoInformant } from "../../../../src/trace/collectors/perf/go/informant.ts";
import { Unfit } from "../../../../src/trace/dwarf/unfit.ts";
import { guideFor } from "../../../../src/trace/native/guide.ts";
import { whereIs } from "../../../../src/trace/native/names.ts";
import { type Point, UNAVAILABLE } from "../../../../src/trace/plan.ts";
import { launching, planOf, recorded, scratch } from "../../support.ts";
import { Generator, type Language, type Probe } from "./generate.ts";

export interface Kind {
  language: Language;
  compiler: string;
  /** As the compiler takes it. */
  level: string;
}

interface Placed extends Probe {
  path: string;
}

export interface Batch extends Kind {
  folder: string;
  program: string;
  programs: number;
  probes: Placed[];
  /** By probe: what the program printed there, in order. */
  truth: Map<number, string[][]>;
  /** By program. */
  seeds: readonly number[];
}

const TRUTH_H = `#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void truth(int id, int count, ...);
#ifdef __cplusplus
}
#endif
`;
const TRUTH_C = `#include <stdarg.h>
#include <stdio.h>
void truth(int id, int count, ...) {
  va_list all;
  va_start(all, count);
  printf("%d", id);
  while (count-- > 0) printf(" %d", va_arg(all, int));
  putchar('\\n');
  va_end(all);
}
`;

/** Numbers for the probes of one program. */
const IDS = 1000;

export function batchOf(kind: Kind, seeds: readonly number[]): Batch {
  const folder = scratch();
  const probes: Placed[] = [];
  const files: string[] = [];
  for (const [number, seed] of seeds.entries()) {
    const firstId = 1 + number * IDS;
    const { text, probes: own } = new Generator(kind.language, { seed, number, firstId }).generate();
    const path = join(folder, `p${number}${EXTENSIONS[kind.language]}`);
    writeFileSync(path, text);
    files.push(path);
    probes.push(...own.map((one) => ({ ...one, path })));
  }
  const program = BUILDERS[kind.language](kind, folder, files);
  const said = execFileSync(program, { encoding: "utf8", cwd: folder });
  const truth = new Map<number, string[][]>();
  for (const line of said.trim().split("\n")) {
    const [id, ...values] = line.split(" ");
    truth.set(Number(id), [...(truth.get(Number(id)) ?? []), values]);
  }
  return { ...kind, folder, program, programs: seeds.length, probes, truth, seeds };
}

const EXTENSIONS: Record<Language, string> = { c: ".c", cpp: ".cpp", rust: ".rs", go: ".go" };

type Builder = (kind: Kind, folder: string, files: string[]) => string;

const native: Builder = ({ language, compiler, level }, folder, files) => {
  const external = language === "cpp" ? 'extern "C" ' : "";
  const declared = files.map((_, at) => `${external}int p${at}_main(void);`);
  const calls = files.map((_, at) => `p${at}_main();`);
  writeFileSync(join(folder, "truth.h"), TRUTH_H);
  writeFileSync(join(folder, "truth.c"), TRUTH_C);
  writeFileSync(
    join(folder, `main${EXTENSIONS[language]}`),
    `${declared.join("\n")}\nint main(void) { ${calls.join(" ")} return 0; }\n`,
  );
  const program = join(folder, "program");
  const run = (...words: string[]) =>
    execFileSync(words[0] ?? "", words.slice(1), { cwd: folder, stdio: "pipe" });
  run("gcc", "-c", "truth.c", "-o", "truth.o");
  run(compiler, "-w", "-g", level, "-o", program, `main${EXTENSIONS[language]}`, ...files, "truth.o");
  return program;
};

const BUILDERS: Record<Language, Builder> = {
  c: native,
  cpp: native,
  rust: ({ level }, folder, files) => {
    const modules = files.map((_, at) => `mod p${at};`);
    const calls = files.map((_, at) => `p${at}::p${at}_main();`);
    const told = `#[inline(never)]\npub fn truth(id: i32, values: &[i32]) {\n  print!("{}", id);\n  for one in values { print!(" {}", one); }\n  println!();\n}`;
    const main = join(folder, "main.rs");
    writeFileSync(
      main,
      `#![allow(warnings)]\n${modules.join("\n")}\n${told}\nfn main() { ${calls.join(" ")} }\n`,
    );
    const program = join(folder, "program");
    execFileSync(
      "rustc",
      ["-g", "-C", `opt-level=${level.slice(2)}`, "-C", "overflow-checks=off", "-o", program, main],
      { cwd: folder, stdio: "pipe" },
    );
    return program;
  },
  go: ({ level }, folder, files) => {
    const calls = files.map((_, at) => `p${at}_main()`);
    const told = `//go:noinline\nfunc truth(id int, values ...int) {\n\tfmt.Print(id)\n\tfor _, one := range values {\n\t\tfmt.Print(" ", one)\n\t}\n\tfmt.Println()\n}`;
    writeFileSync(
      join(folder, "main.go"),
      `package main\nimport "fmt"\n${told}\nfunc main() {\n\t${calls.join("\n\t")}\n}\n`,
    );
    writeFileSync(join(folder, "go.mod"), "module property\n\ngo 1.21\n");
    const program = join(folder, "program");
    const flags = level === "-O0" ? ["-gcflags=all=-N -l"] : [];
    execFileSync("go", ["build", ...flags, "-o", program, "."], { cwd: folder, stdio: "pipe" });
    return program;
  },
};

export interface Found {
  /** Values compared with the truth, and those that could not be had. */
  values: number;
  unavailable: number;
  /** Points that were asked for, and those that were hit another number of times than they ran. */
  points: number;
  miscounted: number;
  wrong: string[];
}

/** Of the first of its programs, so many. Why a batch as a whole cannot be recorded by a collector is thrown. */
export async function compared(whole: Batch, collector: string, programs: number): Promise<Found> {
  const batch = { ...whole, probes: whole.probes.filter(({ id }) => id <= programs * IDS) };
  const probes = await fitting(batch, collector);
  const points: Point[] = probes.map(({ id, path, line, expressions }) => ({
    key: String(id),
    path,
    line,
    expressions,
  }));
  const adapter = batch.language === "go" ? "delve" : "lldb";
  const opening = launching({ program: batch.program, cwd: batch.folder });
  const record = await recorded(adapter, opening, planOf(points, { frames: 0 }), { collector });
  const found: Found = { values: 0, unavailable: 0, points: points.length, miscounted: 0, wrong: [] };
  for (const [at, probe] of probes.entries()) {
    const hits = record.points.filter(({ point }) => point === at).map(({ values }) => values);
    judge(batch, probe, hits, {
      found,
      who: `${collector} ${batch.compiler} ${batch.level}`,
      bound: record.bindings[at]?.state === "bound",
      noted: record.notes.some((one) => SCATTERED.test(one)),
    });
  }
  return found;
}

const SCATTERED = /^optimised code .* may have run more or less often than it was hit$/;

function judge(
  { truth, level, seeds }: Batch,
  { id, path, line, expressions }: Placed,
  hits: string[][],
  { found, who, bound, noted }: { found: Found; who: string; bound: boolean; noted: boolean },
): void {
  const ran = truth.get(id) ?? [];
  const seed = seeds[Math.floor((id - 1) / IDS)];
  const place = `${who} seed ${seed} ${path.slice(path.lastIndexOf("/") + 1)}:${line} ${expressions.join(",")}`;
  if (hits.length !== ran.length) {
    found.miscounted++;
    if (!noted) found.wrong.push(`${place}: ${hits.length} hits of ${ran.length} (bound: ${bound})`);
  }
  let from = 0;
  for (const values of hits) {
    const matches = (row: string[]) => values.every((one, at) => one === UNAVAILABLE || one === row[at]);
    // Of a line that was hit less often than it ran some are missing; none may be out of order.
    const next = hits.length === ran.length ? from : ran.findIndex((row, at) => at >= from && matches(row));
    const row = ran[next];
    found.values += values.length;
    const missing = values.filter((one) => one === UNAVAILABLE).length;
    found.unavailable += missing;
    // A note says of optimised code that hits may be too many; their values may not be wrong for all that.
    if (row === undefined && noted && missing === values.length) continue;
    if (row === undefined || !matches(row))
      found.wrong.push(`${place}: ${values.join(",")} for ${ran[from]?.join(",")}`);
    else if (level === "-O0" && missing > 0 && !who.startsWith("stops"))
      found.wrong.push(`${place}: ${values.join(",")} could be had`);
    from = next < 0 ? from : next + 1;
  }
}

/** A fast collector refuses a whole plan for one value that it cannot read: those are left to the others. */
async function fitting(batch: Batch, collector: string): Promise<Placed[]> {
  if (batch.language === "go") return goFitting(batch, collector);
  const plan = planOf(batch.probes.map(({ path, line, expressions }) => ({ path, line, expressions })));
  const { code, points } = guideFor(batch.program, plan);
  // A line that was left without code is an error of the plan.
  const bound = batch.probes.filter((_, at) => points[at]?.binding?.state === "bound");
  if (collector !== "perf" && collector !== "gdb") return bound;
  return bound.filter((probe) =>
    points[batch.probes.indexOf(probe)]?.spots.every((spot) =>
      [...spot.names].every(([name, meaning]) => {
        if (meaning.kind !== "local") return meaning.kind === "elsewhere" && name.endsWith("_g");
        try {
          return collector === "gdb" || whereIs(code, spot, meaning.variable) !== undefined;
        } catch (error) {
          if (error instanceof Unfit) return false;
          throw error;
        }
      }),
    ),
  );
}

async function goFitting({ probes, program }: Batch, collector: string): Promise<Placed[]> {
  const informant = new GoInformant(program);
  const fit: Placed[] = [];
  for (const probe of probes) {
    const places = await informant.places(planOf([probe])).catch((error: unknown) => {
      if (error instanceof Unfit) return undefined;
      throw error;
    });
    const left = places === undefined && collector !== "perf";
    if (left || places?.[0]?.binding.state === "bound") fit.push(probe);
  }
  return fit;
}
