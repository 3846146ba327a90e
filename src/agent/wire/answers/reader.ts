/** What a reader of an answer gives, whichever wire it comes by. */
import type { ModelAnswer, Part } from "../../core/model.ts";

export interface SseEvent {
  event?: string | undefined;
  data: string;
}

export type ToolPart = Part & { kind: "tool_call" };

export interface AnswerReader {
  /** Takes one event of a stream. Gives the calls that the client is to run and that are complete with it. */
  read(event: SseEvent): readonly ToolPart[];
  /** What was read up to now. */
  answer(): ModelAnswer;
  /** The stream said that it failed. */
  readonly error: StreamError | undefined;
  /** It came to its proper end. */
  readonly ended: boolean;
}

export interface StreamError {
  type: string;
  message: string;
}

export const NO_TOOLS: readonly ToolPart[] = [];

/** Characters of an answer that are kept. Nobody writes that much; a stream that never ends must not take all memory. */
export const KEPT_CHARACTERS = 16_000_000;

/** Text that grows piece by piece, within what the whole answer may keep. */
export class Budget {
  #left = KEPT_CHARACTERS;

  add(text: string, piece: string): string {
    if (piece.length > this.#left) {
      if (this.#left === 0) return text;
      this.#left = 0;
      return `${text}… (the rest was not kept)`;
    }
    this.#left -= piece.length;
    return text + piece;
  }
}
