/** kill -9 of the daemon while an attached program meets a breakpoint all the time: it lives on, whatever is in its memory. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonPid, isAlive, nothingLeft, PATIENCE } from "../faults/world.ts";
import { builtOnce } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { createSonde } from "../support/sonde.ts";

/** LLDB reads memory in blocks, and its server answers with their bytes: these look like the news that the program was killed. */
const HOT = `#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[4096] __attribute__((aligned(4096)));

static int beat(int round) {
  int total = round * 3;
  return total; // @marker beat
}

int main(int count, char **words) {
  (void)count;
  for (int at = 0; at < (int)sizeof text - 3; at += 3) memcpy(text + at, "X09", 3);
  for (int at = 0; at < (int)sizeof text; at += 512) memcpy(text + at, "X09", 3);
  for (int round = 0; round < 100000; round++) {
    beat(round);
    usleep(500);
    if (round % 50) continue;
    FILE *said = fopen(words[1], "w");
    fprintf(said, "%d", round);
    fclose(said);
  }
  return 0;
}
`;

test("a program that passes a breakpoint lives on", { timeout: 120_000 }, async () => {
  const sonde = createSonde();
  const folder = builtOnce("hot.c", HOT, ["gcc", "-g", "-O0", "-o", "hot", "hot.c"]);
  const place = `${join(folder, "hot.c")}:${marker(join(folder, "hot.c"), "beat")}`;
  const said = sonde.write("rounds", "0");
  const rounds = () => Number(readFileSync(said, "utf8") || -1);
  for (let run = 0; run < 4; run++) {
    const { pid = 0 } = sonde.program(join(folder, "hot"), [said]);
    await sonde.ask(["attach", String(pid), "--break", place]);
    await sonde.ask(["print", "text"]);
    await sonde.ask(["breakpoint", "remove", "--all"]);
    await sonde.ask(["breakpoint", "add", place, "--condition", "round < 0"]);
    await sonde.ask(["continue", "--no-wait"]);
    process.kill(await daemonPid(sonde), "SIGKILL");
    await expect
      .poll(
        () => !isAlive(pid) || /^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, "utf8")),
        PATIENCE,
      )
      .toBe(true);
    const before = rounds();
    await expect.poll(() => !isAlive(pid) || rounds() > before + 100, PATIENCE).toBe(true);
    expect(isAlive(pid), `run ${run}`).toBe(true);
    process.kill(pid, "SIGKILL");
  }
  await nothingLeft(sonde);
});
