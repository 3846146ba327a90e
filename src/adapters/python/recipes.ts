import type { Recipe } from "../recipe.ts";
import { debianPackages } from "../recipe.ts";

export const recipes: readonly Recipe[] = [
  {
    title: "a private virtual environment with pip",
    needs: ["python3"],
    steps: (folder) => [
      { command: ["python3", "-m", "venv", folder] },
      {
        command: [
          `${folder}/bin/python`,
          "-m",
          "pip",
          "install",
          "--quiet",
          "--disable-pip-version-check",
          "debugpy",
        ],
      },
    ],
  },
  {
    // Debian keeps what `venv` needs for pip in a package of its own; a pip that is already there can serve another environment.
    title: "a private virtual environment with the pip on the PATH",
    needs: ["python3", "pip3"],
    steps: (folder) => [
      { command: ["python3", "-m", "venv", "--clear", "--without-pip", folder] },
      {
        command: [
          "sh",
          "-c",
          'exec pip3 install --quiet --disable-pip-version-check --target "$("$0" -c "import sysconfig; print(sysconfig.get_path(\'purelib\'))")" debugpy',
          `${folder}/bin/python`,
        ],
      },
    ],
  },
  debianPackages("apt (python3-debugpy, for the system's own Python)", "python3-debugpy"),
];

export const byHand =
  "`pip install debugpy` in the program's own environment, or in any Python named by adapters.debugpy.command in the configuration file";
