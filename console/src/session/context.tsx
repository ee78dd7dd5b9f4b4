import { createContext, type ReactNode, useContext } from 'react';
import type { Session } from './session.ts';

const Context = createContext<Session | undefined>(undefined);

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <Context value={session}>{children}</Context>
);

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('no user is signed in');
  return session;
}

/** Reports whether the user has at least one of these scopes. */
export function useMay(...scopes: readonly string[]): boolean {
  const session = useSession();
  return scopes.some((scope) => session.scopes.has(scope));
}
