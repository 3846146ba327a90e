/**
 * Which arguments and bodies belong to which command, taken from the specification's own types.
 * Bodies are what an adapter is meant to send; some send less, which well-formed.ts puts right.
 */
import type { DebugProtocol as DAP } from "@vscode/debugprotocol";

/** An acknowledgement: nothing in it is worth reading. */
type Ack = unknown;

export interface Requests {
  initialize: { args: DAP.InitializeRequestArguments; body: DAP.Capabilities };
  launch: { args: DAP.LaunchRequestArguments & Record<string, unknown>; body: Ack };
  attach: { args: DAP.AttachRequestArguments & Record<string, unknown>; body: Ack };
  configurationDone: { args: DAP.ConfigurationDoneArguments | undefined; body: Ack };
  restart: { args: DAP.RestartArguments | undefined; body: Ack };
  disconnect: { args: DAP.DisconnectArguments | undefined; body: Ack };
  terminate: { args: DAP.TerminateArguments | undefined; body: Ack };
  cancel: { args: DAP.CancelArguments | undefined; body: Ack };

  breakpointLocations: {
    args: DAP.BreakpointLocationsArguments | undefined;
    body: DAP.BreakpointLocationsResponse["body"];
  };
  setBreakpoints: { args: DAP.SetBreakpointsArguments; body: DAP.SetBreakpointsResponse["body"] };
  setFunctionBreakpoints: {
    args: DAP.SetFunctionBreakpointsArguments;
    body: DAP.SetFunctionBreakpointsResponse["body"];
  };
  setExceptionBreakpoints: {
    args: DAP.SetExceptionBreakpointsArguments;
    body: NonNullable<DAP.SetExceptionBreakpointsResponse["body"]>;
  };
  dataBreakpointInfo: { args: DAP.DataBreakpointInfoArguments; body: DAP.DataBreakpointInfoResponse["body"] };
  setDataBreakpoints: { args: DAP.SetDataBreakpointsArguments; body: DAP.SetDataBreakpointsResponse["body"] };
  setInstructionBreakpoints: {
    args: DAP.SetInstructionBreakpointsArguments;
    body: DAP.SetInstructionBreakpointsResponse["body"];
  };

  continue: { args: DAP.ContinueArguments; body: DAP.ContinueResponse["body"] };
  next: { args: DAP.NextArguments; body: Ack };
  stepIn: { args: DAP.StepInArguments; body: Ack };
  stepOut: { args: DAP.StepOutArguments; body: Ack };
  stepBack: { args: DAP.StepBackArguments; body: Ack };
  reverseContinue: { args: DAP.ReverseContinueArguments; body: Ack };
  restartFrame: { args: DAP.RestartFrameArguments; body: Ack };
  goto: { args: DAP.GotoArguments; body: Ack };
  pause: { args: DAP.PauseArguments; body: Ack };
  stepInTargets: { args: DAP.StepInTargetsArguments; body: DAP.StepInTargetsResponse["body"] };
  gotoTargets: { args: DAP.GotoTargetsArguments; body: DAP.GotoTargetsResponse["body"] };

  threads: { args: undefined; body: DAP.ThreadsResponse["body"] };
  terminateThreads: { args: DAP.TerminateThreadsArguments; body: Ack };
  stackTrace: { args: DAP.StackTraceArguments; body: DAP.StackTraceResponse["body"] };
  scopes: { args: DAP.ScopesArguments; body: DAP.ScopesResponse["body"] };
  variables: { args: DAP.VariablesArguments; body: DAP.VariablesResponse["body"] };
  setVariable: { args: DAP.SetVariableArguments; body: DAP.SetVariableResponse["body"] };
  evaluate: { args: DAP.EvaluateArguments; body: DAP.EvaluateResponse["body"] };
  setExpression: { args: DAP.SetExpressionArguments; body: DAP.SetExpressionResponse["body"] };
  completions: { args: DAP.CompletionsArguments; body: DAP.CompletionsResponse["body"] };
  exceptionInfo: { args: DAP.ExceptionInfoArguments; body: DAP.ExceptionInfoResponse["body"] };
  locations: { args: DAP.LocationsArguments; body: DAP.LocationsResponse["body"] };

  source: { args: DAP.SourceArguments; body: DAP.SourceResponse["body"] };
  modules: { args: DAP.ModulesArguments; body: DAP.ModulesResponse["body"] };
  loadedSources: { args: DAP.LoadedSourcesArguments | undefined; body: DAP.LoadedSourcesResponse["body"] };
  readMemory: { args: DAP.ReadMemoryArguments; body: DAP.ReadMemoryResponse["body"] };
  writeMemory: { args: DAP.WriteMemoryArguments; body: DAP.WriteMemoryResponse["body"] };
  disassemble: { args: DAP.DisassembleArguments; body: DAP.DisassembleResponse["body"] };
}

export interface Events {
  initialized: unknown;
  stopped: DAP.StoppedEvent["body"];
  continued: DAP.ContinuedEvent["body"];
  exited: DAP.ExitedEvent["body"];
  terminated: DAP.TerminatedEvent["body"];
  thread: DAP.ThreadEvent["body"];
  output: DAP.OutputEvent["body"];
  breakpoint: DAP.BreakpointEvent["body"];
  module: DAP.ModuleEvent["body"];
  loadedSource: DAP.LoadedSourceEvent["body"];
  process: DAP.ProcessEvent["body"];
  capabilities: DAP.CapabilitiesEvent["body"];
  progressStart: DAP.ProgressStartEvent["body"];
  progressUpdate: DAP.ProgressUpdateEvent["body"];
  progressEnd: DAP.ProgressEndEvent["body"];
  invalidated: DAP.InvalidatedEvent["body"];
  memory: DAP.MemoryEvent["body"];
}

/** Requests an adapter sends to us. */
export interface ReverseRequests {
  runInTerminal: { args: DAP.RunInTerminalRequestArguments; body: DAP.RunInTerminalResponse["body"] };
  startDebugging: { args: DAP.StartDebuggingRequestArguments; body: Ack };
}
