import { type RunningAuth, signedIn } from './running-auth.ts';
import { Browser } from './sign-in/browser.ts';

export async function signedInBrowser(auth: RunningAuth): Promise<Browser> {
  const { subjectId } = await signedIn(auth);
  const session = await auth.deps.sessions.start(
    'demo',
    { subjectId, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
    undefined,
  );
  const browser = new Browser(auth.origin);
  browser.cookies.set('__Host-ostiary-demo', session?.cookie ?? '');
  return browser;
}
