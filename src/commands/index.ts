/** Every command, in the order help shows them. Adding one is its declaration and its line here. */
import * as adapter from "./adapters/adapter.ts";
import * as configuration from "./adapters/config.ts";
import * as setup from "./adapters/setup.ts";
import { AGENT_COMMANDS } from "./agent/index.ts";
import * as breakpoints from "./breakpoints/breakpoints.ts";
import * as catches from "./breakpoints/catches.ts";
import * as watches from "./breakpoints/watches.ts";
import type { Command } from "./define.ts";
import { DIAGNOSTIC_COMMANDS } from "./diagnostics/index.ts";
import * as differing from "./diff/diff.ts";
import * as running from "./running/running.ts";
import { crash } from "./runs/crash.ts";
import { hang } from "./runs/hang.ts";
import { probe } from "./runs/probe.ts";
import * as changing from "./sessions/changes.ts";
import * as hands from "./sessions/hands.ts";
import * as io from "./sessions/io.ts";
import * as session from "./sessions/sessions.ts";
import * as starting from "./sessions/start.ts";
import * as status from "./sessions/status.ts";
import { why } from "./sessions/why.ts";
import { testCommand } from "./test/test.ts";
import { traceColumns } from "./trace/columns.ts";
import * as traces from "./trace/kept.ts";
import { trace } from "./trace/trace.ts";
import * as machine from "./values/machine.ts";
import * as stack from "./values/stack.ts";
import * as values from "./values/values.ts";

export const REGISTERED: readonly Command[] = [
  starting.start,
  starting.attach,
  starting.configs,
  session.detach,
  session.stop,
  session.restart,
  session.awaitCommand,
  status.status,
  status.sessions,
  changing.changes,
  hands.handoverAsk,
  hands.handoverGive,
  hands.handoverTake,
  hands.transcript,
  breakpoints.breakpointAdd,
  breakpoints.breakpointList,
  breakpoints.breakpointRemove,
  breakpoints.breakpointEnable,
  breakpoints.breakpointDisable,
  catches.catchAdd,
  catches.catchList,
  catches.catchRemove,
  watches.watch,
  watches.watchInfo,
  watches.watchList,
  watches.watchRemove,
  running.continueCommand,
  running.next,
  running.stepCommand,
  running.finish,
  running.until,
  running.pauseCommand,
  running.restartFrameCommand,
  stack.contextCommand,
  why,
  stack.source,
  stack.backtrace,
  stack.frame,
  stack.up,
  stack.down,
  values.locals,
  values.args,
  values.scopes,
  values.variables,
  values.print,
  values.evalCommand,
  values.set,
  stack.threads,
  stack.thread,
  machine.memoryRead,
  machine.memoryWrite,
  machine.registers,
  machine.disassemble,
  io.output,
  io.input,
  adapter.sourcesCommand,
  adapter.modulesCommand,
  adapter.raw,
  adapter.request,
  adapter.capabilities,
  adapter.completeCommand,
  adapter.reload,
  probe,
  trace,
  traces.traceList,
  traces.traceShow,
  traceColumns,
  traces.traceRemove,
  differing.diff,
  testCommand,
  crash,
  hang,
  setup.adapters,
  setup.setup,
  setup.doctor,
  configuration.config,
  ...AGENT_COMMANDS,
  ...DIAGNOSTIC_COMMANDS,
];
