/** What is changed where a run is taken up again, and kept changed in all that follows: the client does not know of it. */
import { SondeError } from "../../errors.ts";
import type { Injection, Placed, Wire } from "../core/model.ts";
import { isRecord } from "../explain/fields.ts";
import { editRequest } from "../wire/edit-request.ts";
import { type Path, replaceAt } from "../wire/json-slices.ts";
import { messageHash, place } from "../wire/placement.ts";
import { conversationKey } from "../wire/routes.ts";

export interface ForkEdit {
  /** Instead of what the user said last. */
  lastUserText?: string | undefined;
  model?: string | undefined;
  /** At the end of the conversation. */
  inject?: { role: Injection["role"]; content: string } | undefined;
  /** The whole request, as JSON text: for this one call only. */
  body?: string | undefined;
}

export class ForkEdits {
  readonly #edit: ForkEdit;
  #ledger: Placed[] = [];
  #replaced: { hash: string; by: string } | undefined;
  /** What could not be kept in a later request, because the conversation no longer has the place. */
  readonly lost: string[] = [];

  constructor(edit: ForkEdit = {}) {
    this.#edit = edit;
  }

  /** The request from which the run goes another way. */
  first(wire: Wire, original: string): string {
    const { lastUserText, model, inject, body } = this.#edit;
    let edited = body ?? original;
    if (lastUserText !== undefined) edited = this.#replaceLast(wire, edited, lastUserText);
    if (model !== undefined) edited = editRequest(wire, edited, { set: { model } });
    if (inject === undefined) return edited;
    const injection = { id: "fork", ...inject };
    const { insert, anchors } = place(wire, edited, [], [injection]);
    this.#ledger = [{ ...injection, ...(anchors[0] && { anchor: anchors[0].anchor }) }];
    return editRequest(wire, edited, { insert });
  }

  /** A later request of the same agent. */
  later(wire: Wire, original: string): string {
    const { model } = this.#edit;
    let edited = original;
    if (this.#replaced !== undefined) edited = this.#replaceAgain(wire, edited, this.#replaced);
    const { insert, lost } = place(wire, edited, this.#ledger, []);
    if (lost.length > 0) {
      this.lost.push("the injected message");
      this.#ledger = [];
    }
    const set = model === undefined ? {} : { model };
    return editRequest(wire, edited, { insert, set });
  }

  #replaceLast(wire: Wire, body: string, by: string): string {
    const messages = conversation(wire, body);
    const at = messages.findLastIndex((message) => textPath(message) !== undefined);
    const message = messages[at];
    const path = textPath(message);
    if (path === undefined) {
      throw new SondeError("BAD_ARGUMENT", "the request contains no text of the user to replace");
    }
    this.#replaced = { hash: messageHash(message), by };
    return replaceAt(body, messagePath(wire, body, at, path), JSON.stringify(by));
  }

  #replaceAgain(wire: Wire, body: string, { hash, by }: { hash: string; by: string }): string {
    const messages = conversation(wire, body);
    const at = messages.findLastIndex((message) => messageHash(message) === hash);
    const path = textPath(messages[at]);
    if (path === undefined) {
      this.lost.push("the replaced text");
      this.#replaced = undefined;
      return body;
    }
    return replaceAt(body, messagePath(wire, body, at, path), JSON.stringify(by));
  }
}

function conversation(wire: Wire, body: string): readonly unknown[] {
  const top: unknown = JSON.parse(body);
  const value = isRecord(top) ? top[conversationKey(wire)] : undefined;
  if (typeof value === "string") return [{ role: "user", content: value }];
  return Array.isArray(value) ? value : [];
}

/** Where the user's words stand in a message. What a client adds of its own is not theirs. */
function textPath(message: unknown): Path | undefined {
  if (!isRecord(message) || message.role !== "user") return undefined;
  const { content } = message;
  if (typeof content === "string") return ["content"];
  if (!Array.isArray(content)) return undefined;
  const at = content.findLastIndex(
    (block) =>
      isRecord(block) &&
      typeof block.text === "string" &&
      !block.text.trimStart().startsWith("<system-reminder>"),
  );
  return at === -1 ? undefined : ["content", at, "text"];
}

function messagePath(wire: Wire, body: string, at: number, path: Path): Path {
  const key = conversationKey(wire);
  const top: unknown = JSON.parse(body);
  if (isRecord(top) && typeof top[key] === "string") return [key];
  return [key, at, ...path];
}
