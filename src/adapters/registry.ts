/** Every adapter Sonde knows, the best first for each language. Adding one is one file and one line here. */
import type { Adapter } from "./adapter.ts";
import { nodeAdapter } from "./node/index.ts";
import { pythonAdapter } from "./python/index.ts";

export const ADAPTERS: readonly Adapter[] = [nodeAdapter, pythonAdapter];
