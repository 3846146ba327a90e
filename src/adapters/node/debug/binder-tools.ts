/** What line and function breakpoints both work with. */
import type { Cdp } from "../target.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Gate } from "./gate.ts";
import type { DebuggerHost } from "./host.ts";
import type { Placements } from "./placements.ts";
import type { Reports } from "./reports.ts";
import type { ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";
import type { Sources } from "./sources.ts";
import type { Strays } from "./strays.ts";

export interface BinderTools {
  cdp: Cdp;
  host: DebuggerHost;
  scripts: Scripts;
  sources: Sources;
  arrivals: Arrivals;
  placements: Placements;
  reports: Reports;
  strays: Strays;
  texts: ScriptTexts;
  gate: Gate;
  /** The main script, if it has not run yet. */
  program: string | undefined;
  nextId: () => number;
}
