import { useCallback, useState } from 'react';

const themes = [undefined, 'light', 'dark'] as const;

/** Cycles the theme (system, light, dark). The choice is kept until the page is closed. */
export function useTheme(): { next(): void } {
  const [, setIndex] = useState(0);
  const next = useCallback(() => {
    setIndex((index) => {
      const theme = themes[(index + 1) % themes.length];
      if (theme === undefined) delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      return index + 1;
    });
  }, []);
  return { next };
}
