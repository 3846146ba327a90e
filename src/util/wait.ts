/** Waiting for something with a deadline and a cancel, without leaving timers or listeners behind. */

/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

export type Waited<T> = { done: true; value: T } | { done: false; why: "timeout" | "aborted" };

export interface WaitOptions {
  /** Milliseconds; undefined waits for ever. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Resolves with the promise's value, or says that the deadline or the cancel came first. Rejects only if the promise does. */
export function wait<T>(promise: Promise<T>, options: WaitOptions): Promise<Waited<T>> {
  const { timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    };
    const aborted = () => {
      finish();
      resolve({ done: false, why: "aborted" });
    };
    if (signal?.aborted) return aborted();
    signal?.addEventListener("abort", aborted, { once: true });
    if (timeoutMs !== undefined) {
      timer = setTimeout(
        () => {
          finish();
          resolve({ done: false, why: "timeout" });
        },
        Math.min(timeoutMs, LONGEST_TIMER),
      );
    }
    promise.then(
      (value) => {
        finish();
        resolve({ done: true, value });
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}

export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}
