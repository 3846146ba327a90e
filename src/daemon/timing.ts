/** Timers of the daemon. */

/** setTimeout's longest. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Timers run before I/O. One turn later, connections that were waiting to be accepted have started a new timer. */
export function later(
  ms: number,
  current: () => NodeJS.Timeout | undefined,
  act: () => void,
): NodeJS.Timeout {
  const timer = setTimeout(
    () => setImmediate(() => current() === timer && act()),
    Math.min(ms, LONGEST_TIMER_MS),
  );
  return timer;
}

/** The work, or the deadline, whichever is first. */
export async function within(ms: number, work: Promise<unknown>, late = () => {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((done) => {
    timer = setTimeout(() => {
      late();
      done();
    }, ms);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
