/** A two-way stream of whole DAP messages. How bytes become messages, and where they come from, is not the client's business. */
import type { DebugProtocol } from "@vscode/debugprotocol";

export type Message = DebugProtocol.ProtocolMessage;

export interface CloseReason {
  /** What ended it, in words a user can read: "adapter exited with code 1". */
  why: string;
  /** Last lines the adapter wrote to stderr. */
  stderr?: string;
}

export interface Transport {
  /** One message, one write. Throws nothing: a closed transport drops it and `onClose` has said why. */
  send(message: Message): void;
  /** Set once, before the first message can arrive. */
  start(onMessage: (message: Message) => void, onClose: (reason: CloseReason) => void): void;
  close(): void;
}
