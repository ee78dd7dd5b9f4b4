import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { LiveState } from './live-state.ts';

const Context = createContext(new LiveState());

export const LiveProvider = ({ live, children }: { live: LiveState; children: ReactNode }) => (
  <Context value={live}>{children}</Context>
);

/** Returns the state of the live connection. */
export function useLiveState(): LiveState['now'] {
  const live = useContext(Context);
  return useSyncExternalStore(live.subscribe, () => live.now);
}
