/** The rows of `sonde adapters`. */
import type { Adapter } from "../../adapters/adapter.ts";
import { markOf } from "../../adapters/contract-record.ts";
import type { AdapterRow } from "../../commands/adapters/rows.ts";
import { howToInstall, whereFor, whereOf } from "../launch/prepare.ts";
import type { Caller, EngineState } from "../types.ts";

export function adapterRows(state: EngineState, caller: Caller): Promise<AdapterRow[]> {
  return Promise.all(state.adapters.map((adapter) => adapterRow(state, caller, adapter)));
}

async function adapterRow(state: EngineState, caller: Caller, adapter: Adapter): Promise<AdapterRow> {
  const { name, title, languages, fileTypes } = adapter;
  const found = await adapter.find(whereOf(state, adapter, whereFor(state, caller)));
  const row = { name, title, languages, fileTypes, mark: markOf(name) };
  return found.ok
    ? {
        ...row,
        found: true,
        version: found.version,
        path: found.path,
        ...(found.notes === undefined ? {} : { notes: found.notes }),
      }
    : { ...row, found: false, why: found.reason, install: howToInstall(adapter) };
}
