/** debug: setting and removing breakpoints of every kind. */
import { resolve } from "node:path";
import type { CallResult } from "../../client/client.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import type { Arguments } from "../arguments.ts";
import { type Data, idsOf, isData, listIn, textOf } from "../data.ts";
import { place, type Spoken, stands } from "../stands.ts";
import { type Action, type Call, SESSION } from "../tool.ts";
import { aim } from "./aim.ts";
import { addressed } from "./machine.ts";
import { locationOf, placed } from "./place.ts";

const PLACE = [["line"], ["function"]] as const;
const LIMITS = ["condition", "hit_condition"] as const;

/** What is watched is asked for first, as in the protocol. */
const DATA_ID =
  '`debug {"action":"data_breakpoint_info","name":"<expression>"}` comes first and gives the `data_id`';

const LIMITED = { condition: "condition", hitCount: "hit_condition" } as const;

/** To set one again is to change it. */
const SETS = { ...LIMITED, replace: () => ({}) } as const;

export const BREAKPOINT_ACTIONS: readonly Action[] = [
  {
    name: "set_breakpoint",
    stands: [stands("breakpoint add", { ...SETS, location: place, function: "function", log: "log" })],
    oneOf: PLACE,
    optional: ["file", "column", ...LIMITS, "log", ...SESSION],
    understood: placed,
    advice: { file: 'a place is `file` and `line`, or `file` alone as "file:line"' },
    run: (call, args) => {
      const name = oneName(args);
      const { condition, log, hit_condition: hitCount } = args;
      const where = name === undefined ? { location: locationOf(args) } : { function: name };
      return call.ask("breakpoint add", { ...where, condition, hitCount, log, replace: true });
    },
  },
  {
    name: "remove_breakpoint",
    oneOf: PLACE,
    optional: ["file", "column", ...SESSION],
    understood: placed,
    run: (call, args) =>
      remove(call, oneName(args) ?? locationOf(args), (row) => isAt(row, call, args), placeOf),
  },
  {
    name: "set_instruction_breakpoint",
    stands: [stands("breakpoint add", { ...SETS, address: "instruction_reference" })],
    required: ["instruction_reference"],
    optional: ["offset", ...LIMITS, ...SESSION],
    run: async (call, args) => {
      const address = await instruction(call, args);
      const { condition, hit_condition: hitCount } = args;
      return call.ask("breakpoint add", { address, condition, hitCount, replace: true });
    },
  },
  {
    name: "remove_instruction_breakpoint",
    required: ["instruction_reference"],
    optional: ["offset", ...SESSION],
    run: async (call, args) => {
      const address = await instruction(call, args);
      const asked = args.offset === undefined ? args.instruction_reference : undefined;
      return remove(
        call,
        address,
        (row) => isInstruction(row, address) || (row.kind === "instruction" && row.at === asked),
      );
    },
  },
  {
    name: "data_breakpoint_info",
    stands: [stands("watch info", { expression: "name", frame: "frame_id" })],
    required: ["name"],
    optional: ["scope_id", "frame_id", ...SESSION],
    run: dataInfo,
  },
  {
    name: "set_data_breakpoint",
    stands: [
      stands("watch", {
        ...LIMITED,
        expression: "data_id",
        read: accessed("read"),
        access: accessed("readWrite"),
      }),
    ],
    required: ["data_id"],
    optional: ["access_type", ...LIMITS, ...SESSION],
    advice: Object.fromEntries(["data_id", "name", "expression", "variable"].map((one) => [one, DATA_ID])),
    run: (call, { data_id = "", access_type, condition, hit_condition: hitCount }) => {
      const access = { read: access_type === "read", access: access_type === "readWrite" };
      return call.ask("watch", { ...fromDataId(data_id), condition, hitCount, ...access });
    },
  },
  {
    name: "remove_data_breakpoint",
    stands: [stands("watch remove", { ids: onlyNumber })],
    required: ["data_id"],
    optional: ["access_type", ...SESSION],
    advice: { name: DATA_ID },
    run: removeWatch,
  },
  {
    name: "set_exception_breakpoints",
    stands: [stands("catch", { filter: (value) => ({ filters: [value] }), type: "condition" })],
    required: ["filters"],
    optional: ["condition", ...SESSION],
    run: (call, args) => call.alone(() => setExceptions(call, args)),
  },
];

function onlyNumber(ids: unknown): Spoken | undefined {
  return Array.isArray(ids) && ids.length === 1 ? { data_id: String(ids[0]) } : undefined;
}

function accessed(access_type: string): (value: unknown) => Spoken {
  return (value) => (value === false ? {} : { access_type });
}

/** A breakpoint is on one function. */
function oneName({ function: names }: Arguments): string | undefined {
  if (names === undefined || names.length === 1) return names?.[0];
  throw new SondeError("BAD_ARGUMENT", "a breakpoint is on one `function`: set one for each");
}

async function listed(call: Call): Promise<Data[]> {
  return listIn((await call.ask("breakpoint list")).data, "breakpoints");
}

function isAt(row: Data, call: Call, args: Arguments): boolean {
  const { file, line } = args;
  const name = oneName(args);
  if (name !== undefined) return row.kind === "function" && row.at === name;
  if (row.kind !== "line" || (row.line !== line && row.boundLine !== line)) return false;
  return file === undefined || row.path === resolve(call.cwd, file);
}

function placeOf(row: Data): unknown {
  return row.path;
}

function isInstruction({ kind, address }: Data, wanted: string): boolean {
  if (kind !== "instruction" || !/^(0x[\da-f]+|\d+)$/i.test(wanted)) return false;
  return typeof address === "string" && address !== "" && BigInt(address) === BigInt(wanted);
}

/** By its number, so that another way of writing the same place is the same place. */
async function instruction(call: Call, { instruction_reference = "", offset }: Arguments): Promise<string> {
  return addressed(call, instruction_reference, offset);
}

/** `apart`: what must be the same of all that are found, or else it is not clear which is meant. */
async function remove(
  call: Call,
  what: string,
  matches: (row: Data) => boolean,
  apart: (row: Data) => unknown = () => undefined,
): Promise<CallResult> {
  const all = await listed(call);
  const found = all.filter(matches);
  if (found.length === 0)
    throw new SondeError("BAD_ARGUMENT", `there is no breakpoint at ${what}`, {
      hint: all.length === 0 ? "there are none" : `there are: ${all.map(({ at }) => textOf(at)).join(", ")}`,
    });
  if (new Set(found.map(apart)).size > 1)
    throw new SondeError("BAD_ARGUMENT", `there is more than one at ${what}; \`file\` says which`, {
      hint: `there are: ${found.map(({ at }) => textOf(at)).join(", ")}`,
    });
  return call.ask("breakpoint remove", { ids: idsOf(found) });
}

/** `total`, or `2:total` for that of frame 2. Ours to give: what the adapter calls it is asked for when it is set. */
function fromDataId(id: string): { expression: string; frame?: number } {
  const [, frame, expression] = /^(\d+):(.+)$/s.exec(id) ?? [];
  return frame === undefined || expression === undefined
    ? { expression: id }
    : { expression, frame: Number(frame) };
}

/** By its number too. Of several on one expression, the one that is on the place which `data_id` means here and now. */
async function removeWatch(call: Call, { data_id = "", access_type }: Arguments): Promise<CallResult> {
  const { expression, frame } = fromDataId(data_id);
  const watches = listIn((await call.ask("watch list")).data, "watches");
  const numbered = /^\d+$/.test(data_id) ? Number(data_id) : undefined;
  const found = watches.filter(
    ({ id, at, access }) => (id === numbered || at === expression) && (access_type ?? access) === access,
  );
  const [first, ...others] = found;
  if (first === undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      `there is no watch on ${data_id}${access_type ? ` for ${access_type}` : ""}`,
      {
        hint:
          watches.length === 0 ? "there are no watches" : `there are: ${watches.map(watchText).join(", ")}`,
      },
    );
  if (others.length === 0) return call.ask("watch remove", { ids: idsOf(found) });
  const meant = await watchedHere(call, expression, frame);
  const one = found.filter(({ id }) => id === meant);
  if (one.length === 0)
    throw new SondeError("BAD_ARGUMENT", `${found.length} watches are on ${expression}; which?`, {
      hint: `\`data_id\` may be a watch's number: ${found.map(watchText).join(", ")}`,
    });
  return call.ask("watch remove", { ids: idsOf(one) });
}

function watchText({ id, at, value, access }: Data): string {
  return `${String(id)} (${textOf(at)}${value === undefined ? "" : ` = ${textOf(value)}`}, ${textOf(access)})`;
}

/** The number of the watch on it; none where it means nothing, or the program runs. */
async function watchedHere(call: Call, expression: string, frame: number | undefined): Promise<unknown> {
  try {
    const { data } = await call.ask("watch info", { expression, frame });
    return isData(data) ? data.watch : undefined;
  } catch (thrown) {
    if (!UNKNOWN_HERE.has(asSondeError(thrown).code)) throw thrown;
    return undefined;
  }
}

const UNKNOWN_HERE: ReadonlySet<string> = new Set([
  "EVAL_FAILED",
  "NOT_STOPPED",
  "BAD_ARGUMENT",
  "SESSION_ENDED",
]);

async function dataInfo(call: Call, args: Arguments): Promise<CallResult> {
  const { name = "", scope_id, frame_id } = args;
  if (scope_id !== undefined) await checkScope(call, scope_id, name, args);
  const data_id = frame_id === undefined ? name : `${frame_id}:${name}`;
  const { data, text } = await call.ask("watch info", { expression: name, ...aim(args) });
  return { data: { data_id, name, ...(isData(data) ? data : {}) }, text: `data_id ${data_id}: ${text}` };
}

/** A name means what it means in the frame: a scope that has it hidden cannot be watched by it. */
async function checkScope(call: Call, handle: number | string, name: string, args: Arguments): Promise<void> {
  const scopes = listIn((await call.ask("scopes", aim(args))).data, "scopes");
  const holder = scopes.find((scope) => listIn(scope, "values").some((value) => value.name === name));
  if (holder && holder.handle !== handle)
    throw new SondeError("BAD_ARGUMENT", `scope_id: here \`${name}\` is the one of ${holder.name}`, {
      hint: "leave `scope_id` out to watch that one",
    });
  if (scopes.some((scope) => scope.handle === handle)) return;
  throw new SondeError("BAD_ARGUMENT", `scope_id: ${handle} is no scope of this frame`, {
    hint: "for a part of a value give the whole expression as `name`: p.x, list[3]",
  });
}

/** The new set takes the place of the old one; until it is known to be good the old one holds. */
async function setExceptions(call: Call, { filters = [], condition }: Arguments): Promise<CallResult> {
  const before = listIn((await call.ask("catch list")).data, "catches");
  const wanted = filters.filter((filter) => filter !== "none");
  const added: number[] = [];
  try {
    for (const filter of wanted) {
      const { data } = await call.ask("catch", { filter, type: condition });
      added.push(...idsOf(listIn(data, "catches")).slice(-1));
    }
  } catch (thrown) {
    for (const id of added) await call.putBack("catch remove", { id });
    throw thrown;
  }
  let answer = await call.ask("catch list");
  for (const id of idsOf(before)) answer = await call.ask("catch remove", { id });
  return answer;
}
