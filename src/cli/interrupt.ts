/** Ctrl-C, once: what there is by then is still an answer, if it comes soon. The second time ends us. */

const PATIENCE_MS = 3000;

/** `cancel` asks for that answer; false when there is nobody to ask. */
export function onInterrupt(cancel: () => boolean): void {
  process.once("SIGINT", () => {
    if (!cancel()) return dieOfInterrupt();
    setTimeout(dieOfInterrupt, PATIENCE_MS);
  });
}

/** As a shell expects of what was interrupted: it shows 130, and ends a script. */
export function dieOfInterrupt(): void {
  process.removeAllListeners("SIGINT");
  process.kill(process.pid, "SIGINT");
}
