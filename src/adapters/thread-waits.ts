/** How `hang` learns what a thread waits for, where a debugger has no word for it: an adapter's own data about its languages. */

/** A function that blocks, and how the thing it blocks on is found. */
export interface BlockingCall {
  /** The function's name, as stacks show it. */
  call: RegExp;
  /** Or the thread's name, where the debugger tells there what it does; in the first group who has what it waits for. */
  thread?: RegExp;
  /** After "waits": `for a mutex`, `to receive from a channel`. With a name known: `for a mutex: journal`. */
  what: string;
  /** What the user's line calls it, in the first group. */
  named?: readonly RegExp[];
  /** Evaluated in the frame of the call itself; the same for the same thing, whoever looks at it. */
  inside?: string;
  /** Evaluated in the user's frame, with that name put in, where the call's own frame does not tell. */
  identity?(name: string): string;
  /** The operating system's number of the thread that holds it: evaluated where the identity is. */
  owner?(name: string): string;
  /** Lines by which a function has taken such a thing, and those by which it has given it back; the name is in the first group. */
  takes?: RegExp;
  gives?: RegExp;
  /** What is taken is given back at the end of the block that the line begins. */
  block?: true;
  /** The type of a local that holds such a thing for as long as it lives; its value shows the identity. */
  guard?: RegExp;
  /** …and an expression for the address of what such a local has taken, where its value does not show it. */
  guarded?: (guard: string) => string;
}

/** What the runtime itself says of one thread. */
export interface ThreadWait {
  thread: string;
  path?: string;
  line?: number;
  /** `owner`: the name of the thread that has it, where the thing itself knows. */
  waits?: { what: string; name?: string; identity?: string; owner?: string };
  holds: { name: string; identity: string }[];
  /** Of a thread that waits in an event loop: what is left to do there, each at the place it awaits something. */
  tasks?: PendingTask[];
}

/** A coroutine that has been left at an `await`. */
export interface PendingTask {
  name: string;
  /** The user's own calls, from the `await` outward. */
  frames: { function: string; path: string; line: number }[];
  /** What it is in: `Queue.get`, `task Task-3`. */
  awaits?: string;
}

export interface Waits {
  calls: readonly BlockingCall[];
  /** One question to the runtime about all of its threads, which it can answer while none of them runs. */
  inquiry?: { expression: string; read(answer: string): ThreadWait[] };
  /** Evaluated when nothing is on the stack: what may still happen. */
  pending?: string;
}
