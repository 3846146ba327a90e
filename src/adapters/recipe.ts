/** How an adapter is installed. Recipes are data; engine/setup/ runs them. */

export interface Recipe {
  /** For people: "a private virtual environment with pip". */
  title: string;
  /** Programs that must be on the PATH for it to have a chance. */
  needs: string[];
  /** Only root may run it (a system package manager). */
  root?: boolean;
  /** `folder` is this adapter's own, empty at first. Commands run in it, one after another. */
  steps(folder: string): Step[];
}

export interface Step {
  command: string[];
  env?: Record<string, string>;
  /** A failure does not matter (an index that could not be refreshed, say). */
  optional?: boolean;
}

/** From the packages of Debian and its kin. */
export function debianPackages(title: string, ...names: string[]): Recipe {
  return {
    title,
    needs: ["apt-get"],
    root: true,
    steps: () => [
      { command: ["apt-get", "update"], optional: true },
      {
        command: ["apt-get", "install", "-y", "--no-install-recommends", ...names],
        env: { DEBIAN_FRONTEND: "noninteractive" },
      },
    ],
  };
}
