import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Configuration, Session } from '../session/index.ts';

interface Started {
  configuration: Configuration;
  session: Session | undefined;
}

const Context = createContext<Started | undefined>(undefined);

export function ConfigurationProvider({
  configuration,
  session,
  children,
}: Started & { children: ReactNode }) {
  const value = useMemo(() => ({ configuration, session }), [configuration, session]);
  return <Context value={value}>{children}</Context>;
}

export function useStarted(): Started {
  const started = useContext(Context);
  if (!started) throw new Error('the console has not started');
  return started;
}
