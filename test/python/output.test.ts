/** What the program prints, as it printed it. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { ends, output, stops } from "./programs.ts";

test("bytes that are no text, no last newline, and what is left in a buffer", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import sys\nsys.stdout.buffer.write(b'a\\xffb\\n')\nsys.stdout.buffer.flush()\nsys.stderr.write('to err\\n')\nsys.stdout.write('no newline')\n",
  );
  await ends(sonde, "start app.py");
  const text = await output(sonde);
  expect(text).toMatch(/a\ufffdb/);
  expect(text).toContain("to err");
  expect(text).toContain("no newline");
});

test("it comes when it is printed, not when the program ends", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "import time\nprint('early')\ntime.sleep(60)\n");
  await sonde.ask("start app.py --no-wait");
  await expect.poll(() => output(sonde), { timeout: 15_000 }).toContain("early");
});

test("10 MB neither hold the program up nor vanish unsaid", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "for n in range(100_000):\n    print(n, 'x' * 98)\nprint('the end')\n");
  expect(await ends(sonde, "start app.py --timeout 50")).toMatchObject({ exitCode: 0 });
  expect(await sonde.text("output --tail 2")).toMatch(/99999 x+[\s\S]*the end/);
  const all = await sonde.text("output --tail 5");
  expect(all).toMatch(/lost|dropped|earlier/);
});

test("where there is nothing to show, why", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "import sys\nsys.stdout.write('one\\n')\nx = 2\n");
  await stops(sonde, "start app.py --break app.py:2 --break app.py:3");
  expect(await sonde.text("output")).toBe("no output yet  · cursor 0\n");
  await stops(sonde, "continue");
  expect(await sonde.text("output")).toBe("  | one\ncursor 1\n");
  expect(await sonde.text("output --since 1")).toBe("nothing after cursor 1  · cursor 1\n");
  expect(await sonde.text("output --grep two")).toBe("no line matches  · cursor 1\n");
  expect(await sonde.text("output --category stderr")).toBe("nothing on these streams  · cursor 1\n");
  await sonde.text("output --clear");
  expect(await sonde.text("output")).toBe("nothing since it was cleared  · cursor 1\n");
});

test("where lines of both streams are shown, that only each is in order is said", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three')\n");
  const { stdout } = await sonde.run("start app.py");
  expect(stdout).toMatch(/^program output \(each stream in its own order\)$/m);
  expect(stdout).toMatch(/\| one\n[\s\S]*\| three\n/);
  sonde.write("app.py", "print('one')\n");
  expect((await sonde.run("start app.py")).stdout).toMatch(/^program output$/m);
});
