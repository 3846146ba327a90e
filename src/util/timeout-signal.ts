/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * AbortSignal.timeout for signals that are put together: one that only AbortSignal.any knows of is collected as garbage on Node 20, and
 * then never fires. A timer of our own holds this one.
 */
export function timeoutSignal(ms: number): AbortSignal {
  const late = new AbortController();
  const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
  setTimeout(() => late.abort(reason()), Math.min(ms, LONGEST_TIMER)).unref();
  return late.signal;
}
