/** Panels of which one is shown. Left and right move between the tabs. */
import type { ComponentChildren } from "preact";

export interface Tab {
  id: string;
  title: string;
  /** Shown behind the title. */
  count?: number | undefined;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  choose(id: string): void;
  children: ComponentChildren;
  class?: string;
}

export function Tabs({ label, tabs, chosen, choose, children, class: name }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    choose(next.id);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  const prefix = label.replace(/\W+/g, "-");
  return (
    <section class={`tabs ${name ?? ""}`} aria-label={label}>
      <div class="tab-row" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-tab-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${prefix}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
            {count === undefined || count === 0 ? "" : <span class="tab-count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-tab-${chosen}`}
      >
        {children}
      </div>
    </section>
  );
}
