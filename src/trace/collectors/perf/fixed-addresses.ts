import { spawn } from "node:child_process";

let fixing: Promise<string[]> | undefined;

/** The command by which a program has the same addresses each time, as the debugger runs it; none where that is not allowed. */
export function fixedAddresses(): Promise<string[]> {
  fixing ??= new Promise((done) => {
    const tried = spawn("setarch", ["-R", "true"], { stdio: "ignore" });
    tried.once("error", () => done([]));
    tried.once("exit", (code) => done(code === 0 ? ["setarch", "-R"] : []));
  });
  return fixing;
}
