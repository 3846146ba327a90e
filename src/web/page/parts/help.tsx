/** The keys that work right now, and the switch for those that are single characters. */
import { areKeysOn, scopesNow, setKeys } from "../state/keys.ts";
import { Dialog } from "./dialog.tsx";

export function Help({ close }: { close(): void }) {
  return (
    <Dialog title="Keys" close={close}>
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={(event) => setKeys((event.currentTarget as HTMLInputElement).checked)}
        />
        keys that are single characters
      </label>
      {scopesNow().map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="keys">
            {keys.map(({ key, does }) => (
              <div key={key}>
                <dt>
                  <kbd>{key === " " ? "space" : key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="note">In lists the arrows, page keys, Home and End move; Enter opens; Tab leaves the list.</p>
    </Dialog>
  );
}
