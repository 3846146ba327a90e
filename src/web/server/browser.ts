/** Opens an address in the user's browser, where there is one to look at. */
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../client/paths.ts";

/** Whether it could be started. */
export async function openBrowser(url: string): Promise<boolean> {
  const command = opener();
  if (command === undefined) return false;
  const child = spawn(command, [process.platform === "linux" ? url : redirectTo(url)], {
    stdio: "ignore",
    detached: true,
  });
  child.unref();
  return new Promise((done) => {
    child.once("spawn", () => done(true));
    child.once("error", () => done(false)); // the address is printed all the same
  });
}

/** Command lines are public: elsewhere the key stands in a file that only the user can read. */
function redirectTo(url: string): string {
  const file = join(places().runtime, "open.html");
  rmSync(file, { force: true });
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`, {
    mode: 0o600,
    flag: "wx",
  });
  return file;
}

/** On Linux the server lets no other user in, who could read the key in the list of processes. */
function opener(): string | undefined {
  if (process.platform === "darwin") return "open";
  if (process.platform !== "linux") return undefined;
  const hasScreen = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  return hasScreen ? (process.env.BROWSER?.split(":").find((one) => one !== "") ?? "xdg-open") : undefined;
}
