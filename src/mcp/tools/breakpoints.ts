/** debug: setting and removing breakpoints of every kind. */
import type { CallResult } from "../../client/client.ts";
import { SondeError } from "../../errors.ts";
import type { Arguments } from "../arguments.ts";
import { isData, listIn } from "../data.ts";
import { place, type Spoken, stands } from "../stands.ts";
import { type Action, type Call, SESSION } from "../tool.ts";
import { aim } from "./aim.ts";
import { withOffset } from "./machine.ts";
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
    stands: [stands("breakpoint remove", { at: place, function: "function" })],
    oneOf: PLACE,
    optional: ["file", "column", ...SESSION],
    understood: placed,
    run: (call, args) => {
      const name = oneName(args);
      return call.ask(
        "breakpoint remove",
        name === undefined ? { at: locationOf(args) } : { function: name },
      );
    },
  },
  {
    name: "set_instruction_breakpoint",
    stands: [stands("breakpoint add", { ...SETS, address: "instruction_reference" })],
    required: ["instruction_reference"],
    optional: ["offset", ...LIMITS, ...SESSION],
    run: (call, args) => {
      const { condition, hit_condition: hitCount } = args;
      return call.ask("breakpoint add", { address: instruction(args), condition, hitCount, replace: true });
    },
  },
  {
    name: "remove_instruction_breakpoint",
    stands: [stands("breakpoint remove", { address: "instruction_reference" })],
    required: ["instruction_reference"],
    optional: ["offset", ...SESSION],
    run: (call, args) => call.ask("breakpoint remove", { address: instruction(args) }),
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
    stands: [stands("watch remove", { ids: onlyNumber, expression: "data_id", access: "access_type" })],
    required: ["data_id"],
    optional: ["access_type", ...SESSION],
    advice: { name: DATA_ID },
    run: (call, { data_id = "", access_type: access }) =>
      /^\d+$/.test(data_id)
        ? call.ask("watch remove", { ids: [Number(data_id)] })
        : call.ask("watch remove", { ...fromDataId(data_id), access }),
  },
  {
    name: "set_exception_breakpoints",
    stands: [stands("catch", { filter: filterNames, type: "condition", replace: () => ({}) })],
    required: ["filters"],
    optional: ["condition", ...SESSION],
    run: (call, { filters = [], condition: type }) =>
      call.ask("catch", { filter: filters.join(",") || "none", type, replace: true }),
  },
];

function filterNames(value: unknown): Spoken {
  return { filters: String(value).split(",") };
}

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

function instruction({ instruction_reference = "", offset }: Arguments): string {
  return withOffset(instruction_reference, offset);
}

/** `total`, or `2:total` for that of frame 2. Ours to give: what the adapter calls it is asked for when it is set. */
function fromDataId(id: string): { expression: string; frame?: number } {
  const [, frame, expression] = /^(\d+):(.+)$/s.exec(id) ?? [];
  return frame === undefined || expression === undefined
    ? { expression: id }
    : { expression, frame: Number(frame) };
}

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
