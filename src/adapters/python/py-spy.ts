/** py-spy, which samples a running Python from outside. Only the one that `setup` has installed is used. */
import { join } from "node:path";
import type { Found, Where } from "../adapter.ts";
import { askProgram, isExecutable, versionOf } from "../kit/find.ts";
import type { Recipe } from "../recipe.ts";

const recipes: readonly Recipe[] = [
  {
    title: "a private virtual environment with pip",
    needs: ["python3"],
    steps: (folder) => [
      { command: ["python3", "-m", "venv", folder] },
      {
        command: [
          ...[`${folder}/bin/python`, "-m", "pip", "install"],
          ...["--quiet", "--disable-pip-version-check", "py-spy"],
        ],
      },
    ],
  },
];

export const PY_SPY = {
  name: "py-spy",
  recipes,
  byHand:
    "run `python3 -m venv` in a folder called py-spy beside Sonde's adapters, and its `pip install py-spy`",
  find,
};

async function find({ adapters, env }: Where): Promise<Found> {
  const path = join(adapters, "py-spy", "bin", "py-spy");
  if (!isExecutable(path)) return { ok: false, reason: "it has not been installed by sonde" };
  const said = await askProgram(path, ["--version"], { env });
  const version = versionOf(said.stdout);
  return said.ok && version !== undefined
    ? { ok: true, version, path }
    : { ok: false, reason: `${path} does not run: ${said.problem ?? "it did not say its version"}` };
}
