/** Which dlv, and whether it knows the Go that is here: each understands the few versions of Go around its own release. */
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Found, Where } from "../adapter.ts";
import { isExecutable, probe, toolOnPath, versionOf } from "../kit/find.ts";

export async function findDelve(where: Where): Promise<Found> {
  const { settings } = where;
  const path = settings?.command === undefined ? installed(where) : toolOnPath(settings.command, where);
  if (path === undefined) {
    const reason = settings?.command === undefined ? "there is no dlv" : `there is no ${settings.command}`;
    return { ok: false, reason };
  }
  const version = versionOf(/^Version: .*$/m.exec((await probe(path, ["version"])) ?? "")?.[0]);
  if (version === undefined) return { ok: false, reason: `${path} does not report its version` };
  const go = await goVersion(where);
  if (go === undefined)
    return {
      ok: true,
      version,
      path,
      notes: ["go is not installed: only binaries that are already built can be started"],
    };
  return tooOld(version, go)
    ? {
        ok: false,
        reason: `delve ${version} is too old for go${go}`,
      }
    : { ok: true, version, path };
}

function installed(where: Where): string | undefined {
  const { GOBIN, GOPATH, HOME = homedir() } = where.env;
  const own = join(where.adapters, "delve", "dlv");
  const go = [
    GOBIN,
    ...(GOPATH ?? "").split(delimiter).map((one) => one && join(one, "bin")),
    join(HOME, "go", "bin"),
  ];
  const others = go.flatMap((folder) => (folder ? [join(folder, "dlv")] : []));
  return isExecutable(own) ? own : (toolOnPath("dlv", where) ?? others.find(isExecutable));
}

async function goVersion(where: Where): Promise<string | undefined> {
  const go = toolOnPath("go", where);
  // Not what a go.mod in the caller's folder would have it download.
  const env = { ...where.env, GOTOOLCHAIN: "local" };
  return go === undefined ? undefined : versionOf(await probe(go, ["version"], env));
}

/** dlv 1.N knows Go up to 1.N or so; near the border its own check decides. */
export function tooOld(delve: string, go: string): boolean {
  const [, ours = 0] = delve.split(".").map(Number);
  const [, theirs = 0] = go.split(".").map(Number);
  return theirs > ours + 1;
}

export function requireGo(where: Where): string {
  const go = toolOnPath("go", where);
  if (go !== undefined) return go;
  throw new SondeError("ADAPTER_MISSING", "there is no go on the PATH to build the program with", {
    hint: "install Go from https://go.dev/dl, or start a binary built with -gcflags='all=-N -l'",
  });
}
