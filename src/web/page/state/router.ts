/** Addresses of views. `route` is where the page is; `go` moves it, `replaceQuery` says more about the same place without a new entry. */
import { computed, signal } from "@preact/signals";

export interface Route {
  path: string;
  query: Readonly<Record<string, string>>;
}

/** A page that was saved as a file shows one view and what belongs to it, whatever the file is called: where it is stands nowhere else. */
function saved(): Route | undefined {
  const text = document.getElementById("sonde-stored")?.textContent;
  return text ? { path: (JSON.parse(text) as { path: string }).path, query: {} } : undefined;
}

let savedRoute = saved();
const savedPath = savedRoute?.path;

function read(): Route {
  if (savedRoute !== undefined) return savedRoute;
  return { path: location.pathname, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

const here = signal<Route>(read());

export const route = computed(() => here.value);

/** A path's pattern (`/s/:name`) and what of this address its names stand for. */
export function matched(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const one = given[at] ?? "";
    if (part.startsWith(":")) found[part.slice(1)] = decoded(one);
    else if (part !== one) return undefined;
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function go(href: string): void {
  if (savedPath !== undefined) {
    const { pathname, searchParams } = new URL(href, "http://saved");
    const isInIt = pathname === savedPath || pathname.startsWith(`${savedPath}/`);
    if (isInIt) here.value = savedRoute = { path: pathname, query: Object.fromEntries(searchParams) };
    return;
  }
  if (href === location.pathname + location.search) return;
  history.pushState(null, "", href);
  here.value = read();
}

/** Undefined removes a name. */
export function replaceQuery(change: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(savedRoute?.query ?? location.search);
  for (const [name, value] of Object.entries(change))
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  if (savedRoute !== undefined) {
    here.value = savedRoute = { path: savedRoute.path, query: Object.fromEntries(query) };
    return;
  }
  const text = query.toString();
  history.replaceState(history.state, "", `${location.pathname}${text === "" ? "" : `?${text}`}`);
  here.value = read();
}

/** Links are real ones; a plain click on one does not load the page again. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    here.value = read();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const link = (event.target as Element | null)?.closest("a");
    if (link?.target !== "" || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
