/** Who may import whom. A folder imports itself, `util`, `advice` and `errors.ts`, and what stands here. */
import { describe, expect, test } from "vitest";
import { type Import, importsOf, sourceFiles } from "./support/sources.ts";

const MAY_IMPORT: Record<string, string[]> = {
  util: [],
  advice: [],
  dap: [],
  session: ["dap"],
  adapters: ["dap"],
  trace: ["session", "adapters"],
  runners: [],
  agent: [],
  diagnostics: ["session", "adapters"],
  commands: ["session", "trace", "runners", "agent", "diagnostics"],
  engine: ["dap", "session", "adapters", "trace", "commands", "agent", "diagnostics"],
  client: [],
  daemon: ["engine", "client"],
  cli: ["client"],
  foreground: ["agent", "diagnostics", "commands", "engine", "client"],
  mcp: ["client"],
  web: ["client"],
  library: ["dap", "session", "trace", "engine", "client", "agent"],
  "index.ts": ["library"],
  generate: ["adapters", "commands", "engine", "cli", "library"],
};

/** What an adapter is, and what a view has of a run, as types, is common vocabulary. */
const SHARED_TYPES: Record<string, string[]> = {
  session: ["adapters/adapter.ts", "adapters/thread-waits.ts"],
  commands: ["adapters/adapter.ts"],
  web: ["agent/explain/columns.ts"],
};

/** Every command pays for what these load. */
const NODE_ONLY = ["client", "cli"];

const files = sourceFiles();
const imports = files.flatMap(importsOf);

/** `errors.ts` and `index.ts` stand for themselves. */
function folderOf(path: string): string {
  return path.split("/")[0] ?? path;
}

function allowed({ from, to, typeOnly }: Import): boolean {
  const [folder, target] = [folderOf(from), folderOf(to)];
  if (folder === target || target === "errors.ts" || target === "advice") return true;
  if (folder === "errors.ts") return target === "util";
  if (target === "util") return true;
  if (typeOnly && SHARED_TYPES[folder]?.includes(to)) return true;
  return MAY_IMPORT[folder]?.includes(target) ?? false;
}

function show({ from, to, typeOnly }: Import): string {
  return `${from} → ${to}${typeOnly ? " (type)" : ""}`;
}

describe("imports", () => {
  test("are found", () => {
    expect(imports.map(show)).toContain("dap/client.ts → dap/transport.ts (type)");
    expect(imports.map(show)).toContain("dap/process.ts → node:child_process");
  });

  test("every folder is in the table", () => {
    const folders = new Set(files.map(({ path }) => folderOf(path)).filter((name) => !name.endsWith(".ts")));
    expect([...folders].filter((folder) => MAY_IMPORT[folder] === undefined)).toEqual([]);
  });

  test("go only where the table allows", () => {
    expect(imports.filter((one) => one.own && !allowed(one)).map(show)).toEqual([]);
  });

  test("of the client are node's own modules, nothing to load", () => {
    const heavy = imports.filter(
      ({ from, to, own }) => NODE_ONLY.includes(folderOf(from)) && !own && !to.startsWith("node:"),
    );
    expect(heavy.map(show)).toEqual([]);
  });

  test("form no cycle", () => {
    expect(cycles(imports.filter(({ own }) => own))).toEqual([]);
  });
});

/** Each cycle once, as the path along it. */
function cycles(edges: Import[]): string[] {
  const targets = byFile(edges);
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const path: string[] = [];
  const visit = (file: string) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    state.set(file, "open");
    path.push(file);
    for (const { to } of targets.get(file) ?? []) visit(to);
    path.pop();
    state.set(file, "done");
  };
  for (const file of targets.keys()) visit(file);
  return found;
}

function byFile(edges: Import[]): Map<string, Import[]> {
  const groups = new Map<string, Import[]>();
  for (const edge of edges) groups.set(edge.from, [...(groups.get(edge.from) ?? []), edge]);
  return groups;
}
