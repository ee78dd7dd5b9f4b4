import { useEffect, useRef } from 'react';

/**
 * Runs an action on each change of a value, but not initially. Pages share one subscription this way: each subscription
 * occupies a connection.
 */
export function useOnChange(value: unknown, act: () => void): void {
  const before = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback must not run the action
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    act();
  }, [value]);
}
