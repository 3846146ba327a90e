/** The debuggers the contract holds for: one row each, in rows/. */
import type { AdapterUnderTest } from "./adapter.ts";
import { nodeRows } from "./rows/node.ts";

export const adapters: AdapterUnderTest[] = [...nodeRows];
