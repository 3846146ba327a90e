/** The processor's registers. They come as a scope, flat or in groups; the parts of registers (`eax`, `ax`) come as registers too. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../session.ts";
import type { Aim } from "../stack/focus.ts";

export interface Register {
  name: string;
  value: string;
  group?: string;
}

export interface Registers {
  registers: Register[];
  /** Not shown, by group. */
  more: { group: string; count: number }[];
}

/** Without names the general ones whole; with names those, or the groups of that name. */
export async function readRegisters(
  session: Session,
  { names, all, aim }: { names: readonly string[]; all: boolean; aim: Aim },
): Promise<Registers> {
  const groups = await readGroups(session, aim);
  const every = groups.flatMap(({ registers }) => registers);
  if (names.length > 0) return { registers: chosen(every, names), more: [] };
  if (all) return { registers: every, more: [] };
  const general = groups.find((group) => /general/i.test(group.name)) ?? groups[0];
  const shown = whole(general?.registers ?? []);
  const more = groups.map(({ name, registers }) => ({
    group: name,
    count: registers.filter((one) => !shown.includes(one)).length,
  }));
  return { registers: shown, more: more.filter(({ count }) => count > 0) };
}

async function readGroups(session: Session, aim: Aim): Promise<{ name: string; registers: Register[] }[]> {
  const { debuggee, frame } = await session.focus.place(undefined, aim);
  const scopes = frame ? await session.reads.scopes(debuggee, frame.adapterId) : [];
  const scope = scopes.find((one) => one.presentationHint === "registers" || /registers?/i.test(one.name));
  if (!scope)
    throw new SondeError("UNSUPPORTED", `the ${session.adapter.name} adapter reports no registers here`);
  const read = (reference: number) => session.reads.variables(debuggee, reference);
  const top = await read(scope.variablesReference);
  const isGroup = (one: DebugProtocol.Variable) => one.variablesReference > 0 && one.value === "";
  const flat = top.filter((one) => !isGroup(one)).map(({ name, value }) => ({ name, value }));
  const groups = await Promise.all(
    top.filter(isGroup).map(async (group) => ({
      name: group.name,
      registers: (await read(group.variablesReference)).map(({ name, value }) => ({
        name,
        value,
        group: group.name,
      })),
    })),
  );
  return [...(flat.length > 0 ? [{ name: scope.name, registers: flat }] : []), ...groups];
}

function chosen(every: readonly Register[], names: readonly string[]): Register[] {
  return names.flatMap((typed) => {
    const name = typed.replace(/^[$%]/, "").toLowerCase();
    const found = every.filter((one) => one.name.toLowerCase() === name);
    if (found.length > 0) return found.slice(0, 1);
    const group = every.filter((one) => one.group?.toLowerCase().includes(name));
    if (group.length > 0) return group;
    throw new SondeError("BAD_ARGUMENT", `no register ${typed}`, {
      hint: advice`${call("registers", { all: true })} lists them`,
    });
  });
}

/** In a flat list the general registers come first, up to these. */
const FLOATING = /^(st|xmm|ymm|zmm|k|f|v|d|q)\d+$|^fctrl$/i;

/** Not the halves and quarters of others: those have fewer digits. */
function whole(registers: readonly Register[]): Register[] {
  const end = registers.findIndex((one) => one.group === undefined && FLOATING.test(one.name));
  const general = end < 0 ? registers : registers.slice(0, end);
  const width = (one: Register) => /^0x[0-9a-f]+/i.exec(one.value)?.[0].length ?? 0;
  const widest = Math.max(...general.map(width));
  const padded = general.some((one) => /^0x0/.test(one.value));
  return padded ? general.filter((one) => width(one) === widest) : [...general];
}
