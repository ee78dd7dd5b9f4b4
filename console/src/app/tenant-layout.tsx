import { ApolloProvider } from '@apollo/client/react';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { createClient, LiveProvider, LiveState } from '../graph/index.ts';
import { type Session, SessionProvider } from '../session/index.ts';
import { useStarted } from './configuration-context.tsx';
import { Shell } from './shell.tsx';
import type { WaitingOperation } from './step-up.tsx';

const StepUp = lazy(async () => ({ default: (await import('./step-up.tsx')).StepUp }));

/** Frame of all pages of a tenant: the signed-in user, the graph client, the navigation. */
export function TenantLayout() {
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { session } = useStarted();
  const isOther = session?.tenant !== tenant;
  // Another tenant requires another sign-in.
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
  return session && !isOther ? <SignedIn session={session} /> : null;
}

function SignedIn({ session }: { session: Session }) {
  const [waiting, setWaiting] = useState<WaitingOperation>();
  const live = useMemo(() => new LiveState(), []);
  const leaving = useRef(false);
  const client = useMemo(
    () =>
      createClient(session, live, {
        signInNeeded: () => {
          if (!leaving.current) location.reload();
          leaving.current = true;
        },
        stepUp: (demand) => new Promise((answer) => setWaiting({ demand, answer })),
      }),
    [session, live],
  );
  return (
    <SessionProvider session={session}>
      <ApolloProvider client={client}>
        <LiveProvider live={live}>
          <Shell>
            <Outlet />
          </Shell>
          {waiting && (
            <Suspense>
              <StepUp session={session} waiting={waiting} onClose={() => setWaiting(undefined)} />
            </Suspense>
          )}
        </LiveProvider>
      </ApolloProvider>
    </SessionProvider>
  );
}
