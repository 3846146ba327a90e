/** Reading what a model answered. */
import type { ModelAnswer } from "../../core/model.ts";
import type { HttpWire } from "../routes.ts";
import { AnthropicReader, readAnthropic } from "./anthropic.ts";
import { ChatReader, readChat } from "./chat.ts";
import type { AnswerReader } from "./reader.ts";
import { ResponsesReader, readResponse } from "./responses.ts";

/** For an answer that comes as a stream of events. */
export function answerReader(wire: HttpWire): AnswerReader {
  switch (wire) {
    case "anthropic":
      return new AnthropicReader();
    case "openai-chat":
      return new ChatReader();
    case "openai-responses":
      return new ResponsesReader();
  }
}

/** For an answer that comes whole. Undefined if it is none: an error, or no JSON. */
export function readAnswer(wire: HttpWire, body: string): ModelAnswer | undefined {
  switch (wire) {
    case "anthropic":
      return readAnthropic(body);
    case "openai-chat":
      return readChat(body);
    case "openai-responses":
      return readResponse(body);
  }
}
