/** A process that is left while a place in it is watched. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { printed } from "../contract/rig.ts";
import { at, cFolder, inC, LLDB, stops, traced } from "./rig.ts";

test.for(["detach", "stop", "daemon stop"])(
  "%s takes the watches out: the process lives on",
  async (leave) => {
    const sonde = inC();
    const program = sonde.program(join(cFolder, "idle"), []);
    await printed(program.stdout, "ready");
    await stops(sonde, ["attach", String(program.pid), ...LLDB, "--break", at("idle", "tick")]);
    await sonde.ask("watch count");
    await sonde.run(leave);
    await expect.poll(() => traced(program.pid), { timeout: 5000 }).toMatchObject({ tracer: 0 });
    // Past several writes to it.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(program.signalCode).toBeNull();
    expect(traced(program.pid)).toMatchObject({ state: expect.stringMatching(/[RS]/) });
  },
);
