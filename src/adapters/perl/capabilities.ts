import type { DebugProtocol } from "@vscode/debugprotocol";

export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsExceptionInfoRequest: true,
  supportsDelayedStackTraceLoading: true,
  supportTerminateDebuggee: true,
  exceptionBreakpointFilters: [
    { filter: "uncaught", label: "Exceptions that no eval around them catches", default: true },
    { filter: "all", label: "All exceptions, when they are thrown" },
  ],
};
