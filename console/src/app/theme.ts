import { useCallback, useState } from 'react';

const themes = [undefined, 'light', 'dark'] as const;

/** The system's light or dark, or the other one, for as long as the page is open. */
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
