import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageOf } from "../../src/adapters/python/packages.ts";

const home = mkdtempSync(join(tmpdir(), "sonde-packages-"));
const site = join(home, "site-packages");
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(site, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test("a package's version: by its own name, by a list of names, by the files that were installed", async () => {
  write("Folder_Kit-1.0.dist-info/METADATA", "");
  write("PyYAML-6.0.dist-info/top_level.txt", "_yaml\nyaml\n");
  write("beautifulsoup4-4.12.dist-info/RECORD", "bs4/__init__.py,sha256=a,1\nbs4/dammit.py,sha256=b,2\n");
  write("oneFile-2.1.dist-info/RECORD", "single.py,sha256=a,1\n");
  const of = async (path: string) => (await packageOf(write(path, ""))).version;
  expect(await of("folder_kit/__init__.py")).toBe("1.0");
  expect(await of("yaml/__init__.py")).toBe("6.0");
  expect(await of("bs4/dammit.py")).toBe("4.12");
  expect(await of("single.py")).toBe("2.1");
  expect(await of("unlisted/__init__.py")).toBeUndefined();
});

test("another version that is installed in its place is seen", async () => {
  const file = write("later/__init__.py", "");
  const info = write("Later-1.0.dist-info/METADATA", "");
  expect((await packageOf(file)).version).toBe("1.0");
  renameSync(dirname(info), join(site, "Later-1.1.dist-info"));
  expect((await packageOf(file)).version).toBe("1.1");
});
