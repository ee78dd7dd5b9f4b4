import { readPreference, storePreference } from '../preferences/index.ts';

/** Undefined: the theme of the system. */
const themes = [undefined, 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const root = document.documentElement;
const themeNamed = (name: string | undefined): Theme => themes.find((theme) => theme === name);

function apply(theme: Theme): void {
  if (theme === undefined) delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/** Applies the stored theme. */
export const restoreTheme = (): void => apply(themeNamed(readPreference('theme')));

/** Changes to the next theme (system, light, dark) and stores it. */
export function nextTheme(): void {
  const theme = themes[(themes.indexOf(themeNamed(root.dataset.theme)) + 1) % themes.length];
  apply(theme);
  storePreference('theme', theme);
}
