/** Opens an address in the user's browser, where there is one to look at. */
import { spawn } from "node:child_process";

export function openBrowser(url: string): boolean {
  const command = opener();
  if (command === undefined) return false;
  const child = spawn(command, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {}); // the address is printed all the same
  child.unref();
  return true;
}

/** On Linux the server lets no other user in, who could read the key in the list of processes. */
function opener(): string | undefined {
  if (process.platform === "darwin") return "open";
  if (process.platform !== "linux") return undefined;
  const hasScreen = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  return hasScreen ? (process.env.BROWSER?.split(":")[0] ?? "xdg-open") : undefined;
}
