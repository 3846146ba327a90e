/** Every command, in the order help shows them. Adding one is its declaration and its line here. */
import * as adapter from "./adapter-commands.ts";
import * as breakpoints from "./breakpoint-commands.ts";
import * as catches from "./catch-commands.ts";
import * as configuration from "./config-command.ts";
import { crash } from "./crash-command.ts";
import type { Command } from "./define.ts";
import * as differing from "./diff-command.ts";
import { hang } from "./hang-command.ts";
import * as io from "./io-commands.ts";
import * as machine from "./machine-commands.ts";
import { probe } from "./probe-command.ts";
import * as running from "./running-commands.ts";
import * as session from "./session-commands.ts";
import * as setup from "./setup-commands.ts";
import * as stack from "./stack-commands.ts";
import * as starting from "./start-commands.ts";
import * as status from "./status-commands.ts";
import { testCommand } from "./test-command.ts";
import * as traces from "./trace-commands.ts";
import * as values from "./value-commands.ts";
import * as watches from "./watch-commands.ts";

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
  adapter.protocol,
  probe,
  traces.trace,
  traces.traceList,
  traces.traceShow,
  traces.traceRemove,
  differing.diff,
  testCommand,
  crash,
  hang,
  setup.adapters,
  setup.setup,
  setup.doctor,
  configuration.config,
];
