/** The rows of `sonde adapters`. */
import type { Adapter, Where } from "../adapters/adapter.ts";
import { ADAPTERS } from "../adapters/registry.ts";
import type { AdapterRow } from "../commands/adapter-row.ts";
import { howToInstall, whereFor } from "./prepare.ts";
import type { Caller, EngineState } from "./types.ts";

export function adapterRows(state: EngineState, caller: Caller): Promise<AdapterRow[]> {
  return Promise.all(ADAPTERS.map((adapter) => adapterRow(adapter, whereFor(state, caller))));
}

async function adapterRow(adapter: Adapter, where: Where): Promise<AdapterRow> {
  const { name, title, languages, fileTypes } = adapter;
  const found = await adapter.find(where);
  const row = { name, title, languages, fileTypes };
  return found.ok
    ? { ...row, found: true, version: found.version, path: found.path }
    : { ...row, found: false, why: found.reason, install: howToInstall(adapter) };
}
