/** The collectors: each is a folder here, whose `index.ts` exports `collector`, and is known by the adapters that name it. */
import { ADAPTERS } from "../../adapters/registry.ts";
import type { Collector } from "../collector.ts";

/** What any adapter can do. */
export const PLAIN = "stops";

export const COLLECTORS: readonly string[] = [
  ...new Set([...ADAPTERS.flatMap(({ collectors = [] }) => collectors), PLAIN]),
];

/** Loaded when it is used: most runs need one of them. */
export async function loadCollector(name: string): Promise<Collector> {
  const { collector }: { collector: Collector } = await import(`./${name}/index.ts`);
  return collector;
}
