/** One profile, from its sampler to its files. */
import { rmSync } from "node:fs";
import { SondeError } from "../../errors.ts";
import type { Taken, Taking } from "./sampler.ts";
import { newFolder, type StoredProfile, save } from "./store.ts";

export interface Asked extends Omit<Taking, "folder"> {
  title: string;
  /** The run of an agent whose own process it is. */
  agent?: string;
  cwd: string;
  /** Where profiles are kept. */
  root: string;
}

export async function take(asked: Asked): Promise<StoredProfile> {
  return keep(asked, async (folder) => sample({ ...asked, folder }));
}

/** What `body` found, kept with its files; nothing is left if it fails. */
export async function keep(
  { root, kind, title, agent, cwd }: Pick<Asked, "root" | "kind" | "title" | "agent" | "cwd">,
  body: (folder: string) => Promise<Taken>,
): Promise<StoredProfile> {
  const { id, folder, release } = newFolder(root);
  const began = new Date().toISOString();
  try {
    const taken = await body(folder);
    const { seconds, means, period, end } = taken;
    const head = { id, kind, title, cwd, began, seconds, means, period, end, notes: taken.notes };
    return save(root, agent === undefined ? head : { ...head, agent }, taken);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

async function sample(taking: Taking): Promise<Taken> {
  const { adapter } = taking.launch;
  switch (adapter.sampler) {
    case "v8":
      return (await import("./samplers/v8.ts")).sampleV8(taking);
    case "python":
      return (await import("./samplers/python.ts")).samplePython(taking);
    case "native":
      return (await import("./samplers/native.ts")).sampleNative(taking);
    case "go":
      return (await import("./samplers/go.ts")).sampleGo(taking);
    default:
      throw new SondeError("UNSUPPORTED", `there is no reliable profiler for ${adapter.title} programs`, {
        hint: "Node, Python, C, C++, Rust and Go programs can be profiled",
      });
  }
}
