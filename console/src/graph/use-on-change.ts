import { useEffect, useRef } from 'react';

/** Does something each time a value is another one, and not at first. One subscription a page tells of the change: each holds a connection. */
export function useOnChange(value: unknown, act: () => void): void {
  const before = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function to call is no reason to call it
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    act();
  }, [value]);
}
