/**
 * Whether a program may be kept on one processor with its debugger. Each waits for the other all the time, and waking a processor
 * is the dearest part of that. A program with threads would lose by it, and one that asks could see it: those are left alone.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** Names of the system's library by which a program gets threads and children, or learns about processors. */
const TELLING =
  /\0(pthread_create|thrd_create|clone3?|v?fork|posix_spawnp?|system|popen|sched_(get|set)affinity|sched_getcpu|getcpu|sysconf|get_nprocs(_conf)?|syscall|dlopen|_ZNSt6thread[^\0]*)(@[^\0]*)?\0/;
/** Libraries that start no threads by themselves. */
const PLAIN = /^(libc|libm|libgcc_s|libstdc\+\+|ld-linux[\w-]*|libdl|libpthread|librt)\.so(\.\d+)*$/;
const LIBRARY = /\0((?:lib|ld-)[\w+.-]+\.so(?:\.\d+)*)\0/g;
/** A program that is larger is not looked through. */
const MOST = 32 << 20;

export function mayPin(program: string | undefined): boolean {
  if (process.platform !== "linux" || program === undefined || isBusy()) return false;
  const text = contents(program);
  if (text === undefined || TELLING.test(text)) return false;
  const libraries = [...text.matchAll(LIBRARY)].map(([, name = ""]) => name);
  return libraries.length > 0 && libraries.every((name) => PLAIN.test(name));
}

/** Then there are others on that processor, and none to move to. */
function isBusy(): boolean {
  const [lately = 0] = loadavg();
  return lately > availableParallelism() / 2;
}

function contents(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const buffer = Buffer.alloc(MOST + 1);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return length > MOST ? undefined : buffer.toString("latin1", 0, length);
  } catch {
    return undefined; // the debugger will say what is wrong with it
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
