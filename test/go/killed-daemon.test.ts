/** kill -9 of the daemon while threads of an attached program meet a breakpoint all the time: the program lives on, and nobody is left. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonPid, isAlive, nothingLeft, PATIENCE } from "../faults/world.ts";
import { builtOnce } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { createSonde } from "../support/sonde.ts";

const HOT = `package main

import (
	"fmt"
	"os"
	"time"
)

func beat(round int) int {
	total := round * 3
	return total // @marker beat
}

func work(path string) {
	for round := 0; ; round++ {
		beat(round)
		time.Sleep(300 * time.Microsecond)
		if path != "" && round%100 == 0 {
			os.WriteFile(path, []byte(fmt.Sprint(round)), 0o600)
		}
	}
}

func main() {
	go work(os.Args[1])
	go work("")
	go work("")
	time.Sleep(time.Minute)
}
`;

test.each([
  { moment: "passes a breakpoint", how: ["--no-wait"], condition: " if round < 0", runs: 5 },
  { moment: "stands at one", how: [], condition: "", runs: 2 },
])("a program that $moment lives on", { timeout: 120_000 }, async ({ how, condition, runs }) => {
  const sonde = createSonde();
  const folder = builtOnce("hot.go", HOT, ["go", "build", "-gcflags=all=-N -l", "-o", "hot", "hot.go"]);
  const place = `${join(folder, "hot.go")}:${marker(join(folder, "hot.go"), "beat")}`;
  const said = sonde.write("rounds", "0");
  const rounds = () => Number(readFileSync(said, "utf8") || -1);
  for (let run = 0; run < runs; run++) {
    const { pid = 0 } = sonde.program(join(folder, "hot"), [said]);
    await sonde.ask(["attach", String(pid), ...how, "--break", `${place}${condition}`]);
    process.kill(await daemonPid(sonde), "SIGKILL");
    await expect
      .poll(() => /^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, "utf8")), PATIENCE)
      .toBe(true);
    const before = rounds();
    await expect.poll(() => !isAlive(pid) || rounds() > before + 100, PATIENCE).toBe(true);
    expect(isAlive(pid), `run ${run}`).toBe(true);
    process.kill(pid, "SIGKILL");
  }
  await nothingLeft(sonde);
});
