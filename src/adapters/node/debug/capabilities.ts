import type { DebugProtocol } from "@vscode/debugprotocol";
import { EXCEPTION_FILTERS } from "./exceptions.ts";

export const DEBUG_CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsRestartFrame: true,
  supportsStepInTargetsRequest: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: [".", "["],
  supportsExceptionOptions: false,
  supportsExceptionFilterOptions: true,
  supportsExceptionInfoRequest: true,
  supportsValueFormattingOptions: true,
  supportsLoadedSourcesRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsDelayedStackTraceLoading: true,
  exceptionBreakpointFilters: EXCEPTION_FILTERS,
};
