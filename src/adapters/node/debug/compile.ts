/**
 * Compiles without running. A text that does not compile is a throw to V8, which would pause the program where nobody looks; in a
 * process that is held before its start even for good. So pauses are off meanwhile; all three are sent at once, and the program
 * gets no chance to run past a breakpoint of the user's.
 */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";

export async function compile(
  cdp: Cdp,
  request: Protocol.Runtime.CompileScriptRequest,
): Promise<Protocol.Runtime.CompileScriptResponse> {
  const off = cdp.send("Debugger.setSkipAllPauses", { skip: true });
  const compiled = cdp.send("Runtime.compileScript", request);
  const on = cdp.send("Debugger.setSkipAllPauses", { skip: false });
  const [answer] = await Promise.all([compiled, off, on]);
  return answer;
}
