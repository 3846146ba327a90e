/** DAP command → handler. Each takes the request's arguments and answers with the body. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Cdp, Target } from "../target.ts";
import type { Ahead } from "./ahead.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Breakpoints } from "./breakpoints.ts";
import { completions } from "./completions.ts";
import type { Current } from "./current.ts";
import { type EvaluateArguments, evaluate } from "./evaluate.ts";
import type { Exceptions } from "./exceptions.ts";
import { placeOf, stackTrace } from "./frames.ts";
import type { FunctionBreakpoints } from "./function-breakpoints.ts";
import { Handles } from "./handles.ts";
import { type Handlers, THREAD_ID } from "./host.ts";
import { type SetSourceArguments, setSource } from "./live-edit.ts";
import { breakpointLocations, type CallTarget, callTargets } from "./locations.ts";
import type { Motion } from "./motion.ts";
import type { OriginalNames } from "./original-names.ts";
import type { ProfileArguments, Profiler } from "./profiler.ts";
import { learnParameters, scopeBody, scopesOf } from "./scopes.ts";
import type { ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";
import { setExpression, setVariable } from "./set-variable.ts";
import type { Sources } from "./sources.ts";
import type { Values } from "./values.ts";

export interface Parts {
  cdp: Cdp;
  target: Target;
  ahead: Ahead;
  current: Current;
  sources: Sources;
  values: Values;
  scripts: Scripts;
  texts: ScriptTexts;
  arrivals: Arrivals;
  breakpoints: Breakpoints;
  functions: FunctionBreakpoints;
  exceptions: Exceptions;
  motion: Motion;
  names: OriginalNames;
  profiler: Profiler;
}

/** Arguments come off the wire; the one cast of each is here. */
function on<A>(
  handler: (args: A) => Promise<object | undefined>,
): (args: unknown) => Promise<object | undefined> {
  return (args) => handler((args ?? {}) as A);
}

export function requestHandlers(parts: Parts): Handlers {
  return {
    ...breakpointHandlers(parts),
    ...motionHandlers(parts),
    ...valueHandlers(parts),
    ...sourceHandlers(parts),
    "sonde/profile": on<ProfileArguments>(async (args) => parts.profiler.handle(args)),
  };
}

function breakpointHandlers(parts: Parts): Handlers {
  const { breakpoints, functions, exceptions, current } = parts;
  return {
    setFunctionBreakpoints: on<DebugProtocol.SetFunctionBreakpointsArguments>(async (args) => ({
      breakpoints: await functions.set(args),
    })),
    breakpointLocations: on<DebugProtocol.BreakpointLocationsArguments>(async (args) => ({
      breakpoints: await breakpointLocations(parts, args),
    })),
    setBreakpoints: on<DebugProtocol.SetBreakpointsArguments>(async (args) => ({
      breakpoints: await breakpoints.set(args),
    })),
    setExceptionBreakpoints: on<DebugProtocol.SetExceptionBreakpointsArguments>(async (args) => ({
      breakpoints: await exceptions.set(args),
    })),
    exceptionInfo: on(async () => exceptions.info(current.need())),
  };
}

function motionHandlers(parts: Parts): Handlers {
  const { motion, current, target } = parts;
  const targets = new Handles<CallTarget>("step-in target");
  current.onMove(() => targets.clear());
  return {
    threads: on(async () => ({ threads: [{ id: THREAD_ID, name: target.title }] })),
    continue: on(async () => {
      await motion.continue();
      return { allThreadsContinued: true };
    }),
    next: on(async () => void (await motion.step("over"))),
    stepIn: on<DebugProtocol.StepInArguments>(async ({ targetId }) => {
      const call = targetId === undefined ? undefined : targets.get(targetId);
      await motion.step("into", call?.isNext === false ? call.location : undefined);
      return undefined;
    }),
    stepInTargets: on<DebugProtocol.StepInTargetsArguments>(async ({ frameId }) => {
      const calls = await callTargets(parts, current.live(frameId));
      return { targets: calls.map((call) => ({ id: targets.add(call), label: call.label })) };
    }),
    stepOut: on(async () => void (await motion.step("out"))),
    pause: on(async () => void (await motion.pause())),
    restartFrame: on<DebugProtocol.RestartFrameArguments>(
      async ({ frameId }) => void (await motion.restartFrame(current.live(frameId).call)),
    ),
  };
}

function valueHandlers({ ahead, cdp, current, sources, scripts, texts, values, names }: Parts): Handlers {
  return {
    stackTrace: on<DebugProtocol.StackTraceArguments>(async (args) =>
      stackTrace(current.need(), sources, args),
    ),
    scopes: on<DebugProtocol.ScopesArguments>(async ({ frameId }) => {
      const frame = current.frame(frameId);
      if (frame.kind !== "live") return { scopes: [] };
      if (!(await placeOf(frame, sources)).foreign)
        learnParameters(frame, await sources.functionText(frame.call));
      const scopes = scopesOf({ kit: values.kit, cdp, pause: current.need(), texts, names, ahead }, frame);
      const bodies = scopes.map((scope) => scopeBody(scope, values.containers.add({ kind: "scope", scope })));
      const object = frame.call.returnValue;
      if (object === undefined || object.type === "undefined") return { scopes: bodies };
      const variablesReference = values.containers.add({ kind: "result", object });
      const result = {
        name: "Return value",
        presentationHint: "returnValue",
        variablesReference,
        expensive: false,
      };
      return { scopes: [result, ...bodies] };
    }),
    variables: on<DebugProtocol.VariablesArguments>(
      async ({ variablesReference, filter, start, count, format }) => ({
        variables: await values.members(values.containers.get(variablesReference), {
          filter: filter ?? "",
          start: start ?? 0,
          count: count ?? 0,
          hex: format?.hex === true,
        }),
      }),
    ),
    evaluate: on<EvaluateArguments>(async (args) =>
      evaluate({ cdp, current, values, names, texts, scripts }, args),
    ),
    setVariable: on<DebugProtocol.SetVariableArguments>(async (args) =>
      setVariable({ cdp, current, values, names }, args),
    ),
    setExpression: on<DebugProtocol.SetExpressionArguments>(async (args) =>
      setExpression({ cdp, current, values, names }, args),
    ),
    completions: on<DebugProtocol.CompletionsArguments>(async (args) =>
      completions({ cdp, current, values, names }, args),
    ),
  };
}

function sourceHandlers({ sources, scripts, texts, target, breakpoints, names }: Parts): Handlers {
  return {
    "sonde/setSource": on<SetSourceArguments>(async (args) => {
      const body = await setSource(target, { scripts, texts }, args);
      for (const { id } of body.changed ? scripts.atPath(args.path) : []) names.forget(id);
      if (body.changed) await breakpoints.edited(args.path);
      return body;
    }),
    source: on<DebugProtocol.SourceArguments>(async (args) => sources.text(args)),
    loadedSources: on(async () => ({ sources: await sources.loaded() })),
  };
}
