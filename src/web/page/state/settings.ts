/** What a person has chosen for this browser: light or dark. */
import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const SETTING = "sonde-theme";

const saved = localStorage.getItem(SETTING);
export const theme = signal<Theme>(THEMES.find((one) => one === saved) ?? "auto");

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  localStorage.setItem(SETTING, theme.value);
}

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
