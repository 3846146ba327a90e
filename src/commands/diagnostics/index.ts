/** All commands about what went wrong and where time goes, in the order help shows them. */
import type { Command } from "../define.ts";
import { clearCache } from "./clear-cache.ts";
import { logs } from "./logs.ts";
import { menu } from "./menu.ts";
import { PROFILE_COMMANDS } from "./profile/index.ts";
import { report } from "./report/report.ts";
import { system } from "./system.ts";

export const DIAGNOSTIC_COMMANDS: readonly Command[] = [
  logs,
  system,
  report,
  ...PROFILE_COMMANDS,
  clearCache,
  menu,
];
