/** Ways to install LLDB. */
import type { Recipe, Step } from "../recipe.ts";

/** The newest that the package index has. */
const NEWEST = `apt-cache search --names-only '^lldb-[0-9]+$' | sed 's/^lldb-\\([0-9]*\\) .*/\\1/' | sort -n | tail -1`;

/** Packages unpacked into the folder: needs no root, and several versions can stand side by side. */
export function unpack(version: string): Step[] {
  const script = [
    `v=${version}`,
    `[ -n "$v" ] || { echo "apt has no lldb" >&2; exit 1; }`,
    `names="lldb-$v liblldb-$v python3-lldb-$v $(apt-cache depends --important lldb-$v liblldb-$v | sed -n 's/^ *Depends: \\(lib\\(llvm\\|clang-cpp\\)[0-9].*\\)$/\\1/p' | sort -u)"`,
    "mkdir -p packages",
    "(cd packages && apt-get download $names)",
    'for package in packages/*.deb; do dpkg -x "$package" . || exit 1; done',
    "rm -rf packages",
  ].join(" && ");
  return [{ command: ["sh", "-c", script] }];
}

export const recipes: readonly Recipe[] = [
  {
    title: "the system's package (apt)",
    needs: ["apt-get", "apt-cache"],
    root: true,
    steps: () => [
      { command: ["apt-get", "update"], optional: true },
      {
        command: ["sh", "-c", `apt-get install -y --no-install-recommends "lldb-$(${NEWEST})"`],
        env: { DEBIAN_FRONTEND: "noninteractive" },
      },
    ],
  },
  {
    title: "the system's packages, unpacked into Sonde's own folder (no root needed)",
    needs: ["apt-get", "apt-cache", "dpkg"],
    steps: () => unpack(`$(${NEWEST})`),
  },
  {
    title: "Homebrew",
    needs: ["brew"],
    steps: () => [{ command: ["brew", "install", "llvm"] }],
  },
  {
    title: "the system's package (dnf)",
    needs: ["dnf"],
    root: true,
    steps: () => [{ command: ["dnf", "install", "-y", "lldb"] }],
  },
];
