/** The processor's registers: those in focus by their command, those of another frame as the parts of its scopes. */
import type { CallResult } from "../../client/client.ts";
import { SondeError } from "../../errors.ts";
import type { Arguments } from "../arguments.ts";
import { type Data, listIn, textOf } from "../data.ts";
import { stands } from "../stands.ts";
import { type Action, type Call, SESSION } from "../tool.ts";
import { aim } from "./aim.ts";

export const REGISTERS: Action = {
  name: "registers",
  stands: [stands("registers", { names: "names" })],
  optional: ["names", "frame_id", "thread_id", ...SESSION],
  run: (call, args) =>
    args.frame_id === undefined && args.thread_id === undefined
      ? call.ask("registers", { names: args.names })
      : elsewhere(call, args),
};

interface Register {
  name: string;
  value: string;
  group: string;
}

async function elsewhere(call: Call, args: Arguments): Promise<CallResult> {
  const scopes = listIn((await call.ask("scopes", aim(args))).data, "scopes");
  const scope = scopes.find(({ kind, name }) => kind === "registers" || /registers?/i.test(textOf(name)));
  if (scope === undefined)
    throw new SondeError("UNSUPPORTED", "there is no scope of registers in that frame");
  const all = await registersIn(call, scope);
  const registers = args.names === undefined ? general(all) : args.names.flatMap((name) => named(all, name));
  const lines = registers.map(({ name, value }) => `${name} = ${value}`);
  return { data: { registers, more: [] }, text: `${lines.join("\n")}\n` };
}

/** Flat, or in groups, which have parts and no value. */
async function registersIn(call: Call, scope: Data): Promise<Register[]> {
  const rows = listIn((await call.ask("variables", { handle: scope.handle })).data, "values");
  const found: Register[] = [];
  for (const row of rows) {
    const [name, value] = [textOf(row.name), textOf(row.value)];
    if (row.handle !== undefined && value === "")
      found.push(...(await registersIn(call, row)).map((one) => ({ ...one, group: name })));
    else found.push({ name, value, group: textOf(scope.name) });
  }
  return found;
}

function general(all: readonly Register[]): Register[] {
  const group = (all.find((one) => /general/i.test(one.group)) ?? all[0])?.group;
  return all.filter((one) => one.group === group);
}

function named(all: readonly Register[], typed: string): Register[] {
  const name = typed.replace(/^[$%]/, "").toLowerCase();
  const found = all.filter((one) => one.name.toLowerCase() === name);
  const some = found.length > 0 ? found : all.filter((one) => one.group.toLowerCase().includes(name));
  if (some.length > 0) return some;
  throw new SondeError("BAD_ARGUMENT", `no register ${typed}`, {
    hint: "without `names` the general ones are shown",
  });
}
