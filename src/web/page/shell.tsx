/**
 * What stands around every view: the bar with where one is, the transcript beside it, messages, help. A view draws `<main>`'s inside.
 */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { Typed } from "./parts/advice.tsx";
import { Help } from "./parts/help.tsx";
import { lazyView } from "./parts/lazy-view.tsx";
import { Messages } from "./parts/messages.tsx";
import { TranscriptPanel } from "./parts/transcript-panel.tsx";
import { useKeys } from "./state/keys.ts";
import { hello, isReadOnly, linkState } from "./state/link.ts";
import { go, route } from "./state/router.ts";
import { copy, tell } from "./state/say.ts";
import { now } from "./state/sessions.ts";
import { nextTheme, theme } from "./state/settings.ts";
import { isPanelOpen, lines } from "./state/transcript.ts";
import { loadAhead, viewAt } from "./views/table.ts";
import type { View } from "./views/view.ts";

export function Shell() {
  const isHelpOpen = useSignal(false);
  useKeys(
    "everywhere",
    [
      { key: "?", does: "this help", run: () => (isHelpOpen.value = !isHelpOpen.value) },
      { key: "y", does: "copy the link to what is shown", run: () => void copy(location.href, "link") },
      { key: "Y", does: "copy the sonde line of what was done last", run: copyLast },
      { key: "t", does: "show or hide the transcript", run: () => (isPanelOpen.value = !isPanelOpen.value) },
      { key: "T", does: "light, dark, or the system's setting", run: nextTheme },
      { key: "g", does: "go to the start page", run: () => go("/") },
      { key: "/", does: "search in this view", run: focusSearch },
    ],
    "page",
  );
  return (
    <div class="shell">
      <a class="skip" href="#main">
        to the content
      </a>
      <Bar help={() => (isHelpOpen.value = true)} />
      <div class={isPanelOpen.value ? "body with-panel" : "body"}>
        <main id="main" tabIndex={-1}>
          <CurrentView />
        </main>
        {isPanelOpen.value ? <TranscriptPanel /> : ""}
      </div>
      <Messages />
      {isHelpOpen.value ? <Help close={() => (isHelpOpen.value = false)} /> : ""}
    </div>
  );
}

function copyLast(): void {
  const last = lines.value.at(-1);
  if (last === undefined) tell("nothing was done on this page yet");
  else void copy(last.line, last.line.slice(0, 80));
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search], main [data-search]");
  if (field === null) tell("nothing to search here");
  else field.focus();
}

function Bar({ help }: { help(): void }) {
  const { path } = route.value;
  const { sessions = [], agents = [] } = now.value ?? {};
  const waiting =
    sessions.filter(({ state }) => state === "stopped").length +
    agents.filter(({ held }) => Number(held) > 0).length;
  const link = (href: string, title: string) => (
    <a href={href} aria-current={path === href ? "page" : undefined}>
      {title}
    </a>
  );
  return (
    <header class="bar">
      <nav aria-label="views">
        <a class="brand" href="/" aria-current={path === "/" ? "page" : undefined}>
          sonde
          {waiting === 0 ? (
            ""
          ) : (
            <span class="badge" title={`${waiting} waiting for you`}>
              {waiting}
            </span>
          )}
        </a>
        {link("/logs", "logs")}
        {link("/report", "report")}
      </nav>
      <Connection />
      <div class="bar-end">
        <button
          type="button"
          onClick={() => (isPanelOpen.value = !isPanelOpen.value)}
          aria-pressed={isPanelOpen.value}
        >
          transcript{lines.value.length === 0 ? "" : ` ${lines.value.length}`}
        </button>
        <button type="button" onClick={nextTheme} title="light, dark, or the system's setting (T)">
          {theme.value}
        </button>
        <button type="button" onClick={help} title="keys (?)" aria-label="help">
          ?
        </button>
      </div>
    </header>
  );
}

function Connection() {
  const state = linkState.value;
  if (state === "stored") return <span class="tag">saved page: nothing runs here</span>;
  const { silent, unknown } = now.value ?? {};
  if (state === "open" && silent !== undefined)
    return <span class="tag bad">{unknown ? silent : `${silent}: this is what was last known`}</span>;
  if (state === "open" && isReadOnly()) return <span class="tag">watching only</span>;
  if (state === "open") return <span class="unseen">connected</span>;
  if (state === "off") return <span class="tag bad">not connected</span>;
  return <span class="tag">{state === "lost" ? "connection lost, trying again" : "connecting"}</span>;
}

function CurrentView() {
  const view = useSignal<View | undefined>(undefined);
  const shown = useSignal("");
  const { path, query } = route.value;
  const found = viewAt(path);
  useSignalEffect(() => {
    const next = viewAt(route.value.path);
    const pattern = next?.entry.pattern ?? "";
    if (pattern === shown.peek()) return;
    shown.value = pattern;
    view.value = undefined;
    if (next !== undefined)
      void lazyView(next.entry).then((one) => {
        if (shown.peek() === pattern) view.value = one;
      });
  });
  // A long run takes its time to be read: that should begin with the click, and not wait for the view's code.
  const aRun = useComputed(() => (shown.value === "/" ? now.value?.agents[0]?.id : undefined));
  useSignalEffect(() => {
    if (aRun.value !== undefined) loadAhead(`/a/${aRun.value}`);
  });
  if (linkState.value === "off") return <Off />;
  if (found === undefined)
    return (
      <div class="empty">
        <h1>No such view</h1>
        <p>
          <a href="/">what there is now</a>
        </p>
      </div>
    );
  const Shown = view.value;
  if (Shown === undefined || (hello.value === undefined && linkState.value !== "stored"))
    return <p class="boot">Opening …</p>;
  return <Shown key={path} params={found.params} query={query} />;
}

function Off() {
  return (
    <div class="empty">
      <h1>This page needs a new link</h1>
      <p>Its server has ended, or the link was used before. A link works only once; this prints a new one:</p>
      <Typed line="sonde ui" />
    </div>
  );
}
