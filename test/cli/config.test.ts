import { expect, test } from "vitest";
import { createSonde } from "../support/sonde.ts";

test("every setting, and which of them are set", async () => {
  const sonde = createSonde();
  expect(await sonde.text("config")).toMatch(
    /config\.toml \(does not exist[\s\S]*\[daemon\]\nidle_timeout_minutes = 30\n/,
  );
  await sonde.text("daemon stop");
  sonde.config('[limits]\nframes = 3\n[adapters.lldb]\ncommand = "/opt/lldb-dap"\n');
  const text = await sonde.text("config");
  expect(text).toContain("frames = 3  # set");
  expect(text).toContain('[adapters.lldb]\ncommand = "/opt/lldb-dap"  # set');
  expect(await sonde.ask("config")).toMatchObject({
    exists: true,
    settings: expect.arrayContaining([{ key: "limits.frames", value: 3, isDefault: false }]),
  });
});
