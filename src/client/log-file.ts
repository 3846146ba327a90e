/** Names of the daemon's log files: one a day, in UTC, so that they sort and never depend on the caller's zone. */
import { join } from "node:path";

export function logFile(folder: string, now = new Date()): string {
  return join(folder, `daemon-${now.toISOString().slice(0, 10)}.log`);
}

export const LOG_NAME = /^daemon-(\d{4}-\d{2}-\d{2})(\.1)?\.log$/;
