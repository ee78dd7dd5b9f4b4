import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { LiveState } from './live-state.ts';

const Context = createContext(new LiveState());

export const LiveProvider = ({ live, children }: { live: LiveState; children: ReactNode }) => (
  <Context value={live}>{children}</Context>
);

/** Whether changes arrive as they happen. */
export function useLiveState(): LiveState['now'] {
  const live = useContext(Context);
  return useSyncExternalStore(live.subscribe, () => live.now);
}
