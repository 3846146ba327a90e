/** A view's code is fetched once. If it cannot be had (a new build), the page is loaded again by hand, not by itself. */
import type { View } from "../views/view.ts";

export async function lazyView(entry: { load(): Promise<{ default: View }> }): Promise<View> {
  try {
    return (await entry.load()).default;
  } catch {
    return () => (
      <div class="empty">
        <h1>This part could not be loaded</h1>
        <p>Perhaps Sonde was updated since the page was opened: load it again.</p>
      </div>
    );
  }
}
