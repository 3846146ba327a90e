/** debugpy, as pip installs it and as Debian does, where it is there. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TEST_ADAPTERS } from "../../support/sonde.ts";
import type { AdapterUnderTest } from "../adapter.ts";

interface Variant {
  name: string;
  title: string;
  /** The Python that runs debugpy, and the program. */
  python: string;
  config?: string;
}

function row({ name, title, python, config }: Variant): AdapterUnderTest {
  return {
    name,
    title,
    adapter: "debugpy",
    fixtures: "python",
    ...(config === undefined ? {} : { config }),
    file: (program) => `${program}.py`,
    start: (program) => [`${program}.py`],
    run: (program) => ({ command: python, args: [`${program}.py`] }),
    uncaught: {
      type: "ValueError",
      message: "cannot read 9 characters",
      cause: "JSONDecodeError",
      exitCode: 1,
    },
    assign: (target, value) => `${target} = ${value}`,
    skip: {},
  };
}

function installed(): Variant[] {
  const folder = join(TEST_ADAPTERS, "debugpy");
  const python = join(folder, "bin", "python");
  if (!existsSync(python)) return [];
  const [lib = ""] = readdirSync(join(folder, "lib"));
  const version = versionIn(join(folder, "lib", lib, "site-packages"));
  return [{ name: `debugpy ${version}`, title: "Python (debugpy)", python }];
}

/** Another version, and one that is not bundled with what it needs. */
function systems(): Variant[] {
  const python = "/usr/bin/python3";
  const folder = "/usr/lib/python3/dist-packages";
  if (!existsSync(join(folder, "debugpy"))) return [];
  const config = `[adapters.debugpy]\ncommand = "${python}"\n`;
  return [
    { name: `debugpy ${versionIn(folder)} (system)`, title: "Python (system's debugpy)", python, config },
  ];
}

function versionIn(folder: string): string {
  const names = readdirSync(folder).map((entry) => /^debugpy-(\d+(?:\.\d+)*).*-info$/.exec(entry)?.[1]);
  return names.find((one) => one !== undefined) ?? "";
}

export const pythonRows: AdapterUnderTest[] = [...installed(), ...systems()].map(row);
