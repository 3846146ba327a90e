/**
 * What adapters leave out or get wrong, put right where bytes become types. A list that is promised is a list of objects, a
 * promised field has its type, and a missing body is an empty one, so that no reader has to doubt them again.
 */

/** What stands in for a missing or wrong field; `undefined`: text or nothing. */
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

interface Form {
  fields?: Fields;
  /** Lists of objects, by name. A `null` in one keeps its place where the order says what it answers. */
  lists?: Readonly<Record<string, { fields: Fields; inPlace?: true }>>;
}

const UNANSWERED = "the adapter sent no result for it";
const BREAKPOINTS: Form = {
  lists: { breakpoints: { fields: { verified: false, message: undefined }, inPlace: true } },
};
const VALUE: Form = { fields: { value: "", variablesReference: 0, type: undefined } };

const BODIES: Readonly<Record<string, Form>> = {
  setBreakpoints: BREAKPOINTS,
  setFunctionBreakpoints: BREAKPOINTS,
  setExceptionBreakpoints: BREAKPOINTS,
  setDataBreakpoints: BREAKPOINTS,
  setInstructionBreakpoints: BREAKPOINTS,
  threads: { lists: { threads: { fields: { id: 0, name: "" } } } },
  stackTrace: { lists: { stackFrames: { fields: { id: 0, name: "", line: 0, column: 0 } } } },
  scopes: { lists: { scopes: { fields: { name: "", variablesReference: 0, expensive: false } } } },
  variables: {
    lists: { variables: { fields: { name: "", value: "", variablesReference: 0, type: undefined } } },
  },
  evaluate: { fields: { result: "", variablesReference: 0, type: undefined } },
  setVariable: VALUE,
  setExpression: VALUE,
  exceptionInfo: { fields: { exceptionId: "", breakMode: "", description: undefined } },
  source: { fields: { content: "" } },
  loadedSources: { lists: { sources: { fields: { name: undefined, path: undefined } } } },
  modules: { lists: { modules: { fields: { name: "", path: undefined, version: undefined } } } },
  completions: { lists: { targets: { fields: { label: "", text: undefined } } } },
  stepInTargets: { lists: { targets: { fields: { id: 0, label: "" } } } },
  gotoTargets: { lists: { targets: { fields: { id: 0, label: "", line: 0 } } } },
  breakpointLocations: { lists: { breakpoints: { fields: { line: 0 } } } },
  disassemble: { lists: { instructions: { fields: { address: "", instruction: "", symbol: undefined } } } },
};

const EVENTS: Readonly<Record<string, Form>> = {
  stopped: {
    fields: { reason: "unknown", allThreadsStopped: false, description: undefined, text: undefined },
  },
  thread: { fields: { reason: "", threadId: 0 } },
  output: { fields: { output: "", category: undefined } },
  breakpoint: { fields: { reason: "" } },
};

export function wellFormedBody(command: string, body: unknown): Record<string, unknown> {
  return mend(body, BODIES[command]);
}

export function wellFormedEvent(event: string, body: unknown): Record<string, unknown> {
  const mended = mend(body, EVENTS[event]);
  if (event === "breakpoint") return { ...mended, breakpoint: mend(mended.breakpoint, undefined) };
  if (event !== "stopped") return mended;
  const { threadId, hitBreakpointIds, ...rest } = mended;
  return {
    ...rest,
    ...(typeof threadId === "number" ? { threadId } : {}),
    ...(Array.isArray(hitBreakpointIds) ? { hitBreakpointIds } : {}),
  };
}

function mend(value: unknown, form: Form | undefined): Record<string, unknown> {
  const object = isObject(value) ? value : {};
  if (form === undefined) return object;
  const mended = withFields(object, form.fields ?? {});
  for (const name in form.lists) {
    const { fields = {}, inPlace } = form.lists[name] ?? {};
    const given: unknown = object[name];
    const list: Record<string, unknown>[] = [];
    for (const item of Array.isArray(given) ? (given as unknown[]) : [])
      if (isObject(item)) list.push(withFields(item, fields));
      else if (inPlace) list.push({ verified: false, message: UNANSWERED });
    mended[name] = list;
  }
  return mended;
}

/** A copy: the message belongs to the transcript too, and to an adapter in our own process. */
function withFields(object: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  const mended = { ...object };
  for (const name in fields) {
    const otherwise = fields[name];
    if (otherwise !== undefined) {
      if (typeof mended[name] !== typeof otherwise) mended[name] = otherwise;
    } else if (name in mended && typeof mended[name] !== "string") delete mended[name];
  }
  return mended;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
