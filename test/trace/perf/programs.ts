/** Native programs for kernel probes, each built once; and whether this machine has such probes at all. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { machineFor } from "../../../src/trace/collectors/perf/machine.ts";
import { builtOnce } from "../../support/builds.ts";

const where = { env: { PATH: process.env.PATH ?? "" }, cwd: "/", adapters: "" };
const found = await machineFor(where);

/** Why these tests cannot run here; nothing where they can. */
export const WITHOUT_PROBES = "unfit" in found ? found.unfit : undefined;

/** A shell script where the kernel's trace files can be seen. */
export function atProbes(script: string): string {
  if ("unfit" in found) throw new Error(found.unfit);
  const [command, args] = found.command(script);
  return execFileSync(command, args, { encoding: "utf8" });
}

/** Sonde's own that are there now. */
export function probesLeft(): string[] {
  const list = atProbes("cat /sys/kernel/tracing/uprobe_events");
  return list.split("\n").filter((line) => line.includes(`:sonde_${process.pid}_`));
}

export interface Built {
  folder: string;
  program: string;
  source: string;
  /** The line with this `@marker`. */
  line(marker: string): number;
}

const COMPILERS: Record<string, (source: string, output: string) => [string, ...string[]]> = {
  c: (source, output) => ["gcc", "-w", "-g", "-O0", "-pthread", "-o", output, source],
  cpp: (source, output) => ["g++", "-w", "-g", "-O0", "-o", output, source],
  rs: (source, output) => ["rustc", "-g", "-o", output, source],
};

export function built(language: "c" | "cpp" | "rs", text: string): Built {
  const file = `program.${language}`;
  const folder = builtOnce(file, text, COMPILERS[language]?.(file, "program") ?? ["false"]);
  const source = join(folder, file);
  return { folder, program: join(folder, "program"), source, line: (marker) => lineOf(source, marker) };
}

function lineOf(source: string, marker: string): number {
  const lines = readFileSync(source, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(`@marker ${marker}`));
  if (at < 0) throw new Error(`no marker ${marker}`);
  return at + 1;
}

export const KINDS = `#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct In { short s; unsigned us; };
struct P { int x; unsigned char b; const char *name; struct P *next; struct In in; int arr[3]; union { int u; char v; }; unsigned bit : 3; };
enum Color { RED, GREEN = 5, BLUE };
typedef enum { ONE = 1, TWO = 2, FOUR = 4 } Flags;
int global = 7;
static long hidden = -8;
struct P shared = {11, 12, "shared"};
int work(int i, long sum, struct P *p) {
  bool odd = i & 1;
  char c = 'a' + i % 26;
  char odds = "\\n\\t\\0\\x01\\xff'\\\\\\"~"[i % 9];
  signed char sc = -i;
  unsigned char uc = 200 + i;
  int8_t i8 = -3;
  uint8_t u8 = 65 + i;
  short sh = -5 - i;
  unsigned short ush = 65535;
  unsigned int ui = 4294967295u - i;
  unsigned long ul = -1ul;
  long long ll = -1ll;
  size_t sz = 9;
  enum Color col = i == 3 ? 77 : i == 2 ? BLUE : i == 1 ? GREEN : RED;
  Flags flags = i;
  float f = 1.5;
  int *ip = i == 4 ? 0 : i == 5 ? (int *)16 : &i;
  void *vp = &i;
  char *str = i == 2 ? 0 : i == 3 ? (char *)16 : "hi\\n\\"q\\" \\\\ é";
  struct P *maybe = i % 3 == 0 ? 0 : i % 3 == 1 ? (struct P *)4096 : p;
  struct P local = *p;
  volatile int vi = 3;
  static int calls = 100;
  calls++;
  sum += i; // @marker here
  p->x = i;
  return (int)sum + odd + c;
}
int main(int argc, char **argv) {
  struct P p = {1, 2, "hello", 0, {-3, 4}, {1, 2, 3}, {8}, 5};
  int n = argc > 1 ? atoi(argv[1]) : 10;
  long s = 0;
  for (int i = 0; i < n; i++)
    s = work(i, s % 1000, &p); // @marker call

  // nothing here @marker nothing
  printf("%ld\\n", s);
  return 3;
}
// past the end @marker past
`;
