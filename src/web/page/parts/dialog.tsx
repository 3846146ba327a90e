/** A modal dialog: Escape closes it, the focus goes in and comes back. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // Who opens a form wants to type into it.
    dialog.current?.querySelector<HTMLElement>("textarea, input:not([type=checkbox])")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={close} onCancel={close}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button type="button" onClick={close} aria-label="close">
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
}
