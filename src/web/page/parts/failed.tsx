/** A view that cannot be shown: why, what to do about it, and a line that makes one that can. */
import type { ComponentChildren } from "preact";
import type { PageError } from "../../protocol.ts";
import { Told } from "./advice.tsx";

export function Failed({
  title,
  error,
  children,
}: {
  title: string;
  error: PageError;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      <p>
        <Told told={error.message} />
      </p>
      {error.hint === undefined ? (
        ""
      ) : (
        <p>
          <Told told={error.hint} />
        </p>
      )}
      {children}
    </div>
  );
}
