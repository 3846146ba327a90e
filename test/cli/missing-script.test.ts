/** A script that is not there is told of before anything runs. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

test("a script that is not there", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "print('ran')\n");
  for (const how of [
    "crash",
    "start",
    "probe --function f",
    "trace --function f",
    "test",
    "hang --after 1",
  ]) {
    const refused = await sonde.run(`${how} -- python3 -u nofile.py 1`);
    expect(refused.stderr).toMatch(/^error BAD_ARGUMENT: no file nofile\.py in \//);
    expect(refused.stdout).toBe("");
  }
  for (const script of ["node no.mjs", "ruby no.rb", "php no.php", "perl no.pl"])
    expect((await sonde.run(`crash -- ${script}`)).stderr).toMatch(/^error \w+: no file no\.\w+ in \//);
  expect((await sonde.run("crash -- python3 ap.py")).stderr).toContain("did you mean app.py?");
  expect(await sonde.text("crash -- node -r node:fs -e 1")).toContain("did not crash");
});
