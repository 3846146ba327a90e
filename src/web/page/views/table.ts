/**
 * Addresses and the views behind them. A view is the default export of its module: a component that gets what the address names
 * (`params`) and the query. It is loaded when it is first opened. To add one: a line here.
 */
import { matched } from "../state/router.ts";
import type { View } from "./view.ts";

interface Entry {
  pattern: string;
  load(): Promise<{ default: View }>;
}

const ENTRIES: readonly Entry[] = [
  { pattern: "/", load: () => import("./now.tsx") },
  { pattern: "/s/:name", load: () => import("./session/view.tsx") },
  { pattern: "/t/:id", load: () => import("./trace/view.tsx") },
  { pattern: "/d/:a/:b", load: () => import("./diff/view.tsx") },
  { pattern: "/p/:id", load: () => import("./profile/view.tsx") },
  { pattern: "/p/:id/:other", load: () => import("./profile/compare.tsx") },
  { pattern: "/logs", load: () => import("./logs.tsx") },
  { pattern: "/report", load: () => import("./report.tsx") },
  { pattern: "/a/:run", load: () => import("../agent/view.tsx") },
  { pattern: "/a/:run/diff/:m/:n", load: () => import("../agent/diff.tsx") },
];

export interface Found {
  entry: Entry;
  params: Record<string, string>;
}

export function viewAt(path: string): Found | undefined {
  for (const entry of ENTRIES) {
    const params = matched(entry.pattern, path);
    if (params !== undefined) return { entry, params };
  }
  return undefined;
}

/** Fetches the code of the view at an address before somebody goes there. If that fails, opening the view tries again and says so. */
export function loadAhead(path: string): void {
  viewAt(path)
    ?.entry.load()
    .catch(() => {});
}
