/** Adapters that are data only. Written from their documentation: `sonde adapters` calls them experimental until the contract has run. */
import type { Adapter } from "../adapter.ts";
import { bashAdapter } from "./bash.ts";
import { dartAdapter, flutterAdapter } from "./dart.ts";
import { elixirAdapter } from "./elixir.ts";
import { kotlinAdapter } from "./kotlin.ts";
import { luaAdapter } from "./lua.ts";
import { netcoredbgAdapter } from "./netcoredbg.ts";

export const otherAdapters: readonly Adapter[] = [
  netcoredbgAdapter,
  kotlinAdapter,
  dartAdapter,
  flutterAdapter,
  elixirAdapter,
  bashAdapter,
  luaAdapter,
];
