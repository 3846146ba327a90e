/** Which running processes a native debugger is for. */
import { executableName, executableOf } from "../../util/process-facts.ts";
import { isNativeCode } from "../kit/go-code.ts";

/** Machine code that is nobody's interpreter. */
export function nativePid(pid: number): boolean {
  const path = executableOf(pid);
  return path !== undefined && isNativeCode(path) && !INTERPRETER.test(executableName(pid) ?? "");
}

const INTERPRETER =
  /^(python|node|java|ruby|perl|php|dotnet|dart|beam|bun|deno|lua|(ba|da|z|k)?sh)([\d.-]|$)/;
