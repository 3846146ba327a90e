/**
 * What the page tells a person besides what it shows: a short message at the bottom, and state changes for screen readers
 * (`aria-live=polite`). Errors of commands stand as messages until they are closed or the next command succeeds.
 */
import { signal } from "@preact/signals";
import type { PageError } from "../../protocol.ts";

export interface Message {
  kind: "done" | "error";
  text?: string;
  error?: PageError;
}

export const message = signal<Message | undefined>(undefined);
export const announced = signal("");

let timer: ReturnType<typeof setTimeout> | undefined;

/** Goes away by itself. */
export function tell(text: string): void {
  clearTimeout(timer);
  message.value = { kind: "done", text };
  timer = setTimeout(() => {
    message.value = undefined;
  }, 2500);
}

export function tellError(error: PageError): void {
  clearTimeout(timer);
  message.value = { kind: "error", error };
}

export function clearMessage(): void {
  clearTimeout(timer);
  message.value = undefined;
}

/** Only for what changed in a session or run: screen readers say it. */
export function announce(text: string): void {
  announced.value = text;
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} copied`);
  } catch {
    tellError({
      code: "CLIPBOARD",
      message: "the browser does not let the page copy; the text is in the transcript",
    });
  }
}
