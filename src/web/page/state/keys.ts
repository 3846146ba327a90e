/**
 * The keyboard. A view says what its keys do while it is shown (`useKeys`); the newest that knows a key gets it. Single characters can be
 * switched off (they collide with speech input); function keys and Escape stay. Nothing is taken while one types.
 */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Key {
  /** `F10`, `shift+F11`, `j`, `Y`, `/`, `?`: what the event's `key` is, with `shift+` only before names. */
  key: string;
  does: string;
  run(): void;
  /** Also while a field has the focus. */
  always?: boolean;
}

/** `page` keys are there always; a view's come first, a dialog's before those. */
const LEVELS = { page: 0, view: 1, dialog: 2 };

interface Scope {
  title: string;
  level: keyof typeof LEVELS;
  keys: readonly Key[];
}

const SETTING = "sonde-keys";
export const areKeysOn = signal(localStorage.getItem(SETTING) !== "off");
const scopes = new Set<Scope>();

export function setKeys(on: boolean): void {
  areKeysOn.value = on;
  localStorage.setItem(SETTING, on ? "on" : "off");
}

/** While the component is shown. `keys` may be new at every draw. */
export function useKeys(title: string, keys: readonly Key[], level: keyof typeof LEVELS = "view"): void {
  const scope = useRef<Scope>({ title, level, keys }).current;
  scope.keys = keys;
  useEffect(() => {
    scopes.add(scope);
    return () => {
      scopes.delete(scope);
    };
  }, [scope]);
}

/** For the help: what can be pressed right now. */
export function scopesNow(): Scope[] {
  return [...scopes].sort((a, b) => LEVELS[b.level] - LEVELS[a.level]);
}

function nameOf(event: KeyboardEvent): string {
  return event.shiftKey && event.key.length > 1 ? `shift+${event.key}` : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))
  );
}

export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const name = nameOf(event);
    const single = event.key.length === 1;
    if (single && !areKeysOn.value) return;
    const typing = isTyping(event.target);
    for (const { keys } of scopesNow()) {
      const found = keys.find(({ key, always }) => key === name && (!typing || always || /F\d/.test(key)));
      if (found === undefined) continue;
      event.preventDefault();
      found.run();
      return;
    }
  });
}
