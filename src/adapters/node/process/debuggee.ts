/** What the adapter needs of a program, whether it was launched or attached to. */
import type { ProcessRegistry } from "../../adapter.ts";
import type { Children } from "./children.ts";
import type { TargetSession } from "./target-session.ts";

export interface DebuggeeHost {
  emit(event: string, body: object): void;
  log(message: string): void;
  readonly children: Children;
  readonly registry: ProcessRegistry;
}

export interface Debuggee {
  /** The target whose requests this DAP session answers; undefined before it is there and after it is gone. */
  readonly session: TargetSession | undefined;
  /** Whether the end of that target is the end of the program; a command such as `npm run` may go on without it. */
  readonly endsWithTarget: boolean;
  /** Asks the program to end, in its own time. */
  terminate(): Promise<void>;
  /** The client leaves. `undefined`: do what fits how the program was started. */
  disconnect(terminate: boolean | undefined): Promise<void>;
  write(bytes: Buffer): Promise<void>;
  endInput(): void;
}
