/** Every adapter Sonde knows. Adding a language is one file and one line here. */
import type { Adapter } from "./adapter.ts";
import { nodeAdapter } from "./node/index.ts";

export const ADAPTERS: readonly Adapter[] = [nodeAdapter];
