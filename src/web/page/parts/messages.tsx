/** Messages at the bottom, and what is said to screen readers. */
import { announced, clearMessage, message } from "../state/say.ts";
import { Told } from "./advice.tsx";
import { plain } from "./text.ts";

export function Messages() {
  const one = message.value;
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {plain(announced.value, 300)}
      </div>
      {one === undefined ? (
        ""
      ) : (
        <section class={`message ${one.kind}`} aria-label="message">
          {one.error === undefined ? (
            <span>{plain(one.text ?? "", 300)}</span>
          ) : (
            <span role="alert">
              <span class="message-kind">failed</span> <Told told={one.error.message} />
              {one.error.hint === undefined ? (
                ""
              ) : (
                <span class="hint">
                  <Told told={one.error.hint} />
                </span>
              )}
            </span>
          )}
          <button type="button" onClick={clearMessage} aria-label="close message">
            ×
          </button>
        </section>
      )}
    </>
  );
}
