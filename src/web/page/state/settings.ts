/** What a person has chosen for this browser: light or dark. */
import { computed, effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const SETTING = "sonde-theme";

const saved = localStorage.getItem(SETTING);
export const theme = signal<Theme>(THEMES.find((one) => one === saved) ?? "auto");

const system = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(system.matches);
system.addEventListener("change", () => {
  isSystemDark.value = system.matches;
});

/** What is seen now: what is drawn is drawn again when it changes, also by the system. */
export const colours = computed(() =>
  theme.value === "auto" ? (isSystemDark.value ? "dark" : "light") : theme.value,
);

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  localStorage.setItem(SETTING, theme.value);
}

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
