/** What opens a folder on this desktop. */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface Opener {
  name: string;
  path: string;
}

/** None without a desktop: there `xdg-open` would start a browser in the terminal. */
export function findTool(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Opener | undefined {
  const name = platform === "darwin" ? "open" : "xdg-open";
  if (platform !== "darwin" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const path = folders.map((folder) => join(folder, name)).find(isExecutable);
  return path === undefined ? undefined : { name, path };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
