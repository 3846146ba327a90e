/**
 * The list of messages that `checkpoint` and `rewind` are about: the one that the agent declared last. It is only changed while a call
 * is about to be sent: anywhere else the agent would put results of tools behind messages that are gone.
 */
import { SondeError } from "../../errors.ts";
import { type Conversation, conversationOf } from "./conversation.ts";

export class CurrentConversation {
  #current: Conversation<unknown> | undefined;
  #calls = 0;
  #wanted: string | undefined;

  take<M>(messages: M[]): Conversation<M> {
    const conversation = conversationOf(messages);
    this.#current = conversation as Conversation<unknown>;
    return conversation;
  }

  checkpoint(label?: string): string {
    return this.#declared().checkpoint(label);
  }

  rewind(checkpoint: string): void {
    const conversation = this.#declared();
    conversation.find(checkpoint);
    if (this.#calls > 0) conversation.rewind(checkpoint);
    else this.#wanted = checkpoint;
  }

  /** `call` waits for as long as the call is held. */
  async atCall<T>(call: () => Promise<T>): Promise<T> {
    if (this.#wanted !== undefined) this.#current?.rewind(this.#wanted);
    this.#wanted = undefined;
    this.#current?.keepBeforeCall();
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#calls--;
    }
  }

  #declared(): Conversation<unknown> {
    if (this.#current) return this.#current;
    throw new SondeError("UNSUPPORTED", "this agent has not declared its list of messages", {
      hint: "in its source: bridge.conversation(messages)",
    });
  }
}
