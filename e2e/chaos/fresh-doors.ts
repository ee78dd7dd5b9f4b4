import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../support/browser.ts';
import { listen, type Subscriber } from '../support/live.ts';
import { walk } from '../support/sign-in.ts';
import { type Answer, ask, tokenAccessPath, userinfoAccessPath } from './asking.ts';
import type { AccessPath, Person } from './person.ts';

/** Timeout of a complete sign-in in milliseconds. */
const walkPatienceMs = 8_000;

const redirectUri = 'http://127.0.0.1:53123/callback';

/** The authorization server and the client that request tokens. */
export interface At {
  origin: string;
  clientId: string;
}

/** Requests userinfo with the tokens obtained so far, until one is not rejected. */
async function worksStill({ origin }: At, { tenant }: Person, tokens: readonly string[]): Promise<Answer> {
  let last: Answer = { outcome: 'closed', said: 'no token' };
  for (const token of tokens) {
    last = await userinfoAccessPath(origin, tenant, token);
    if (last.outcome !== 'closed') return last;
  }
  return last;
}

/**
 * Redeems an authorization code from before the offboarding. The code can be redeemed once; after that the access path
 * is open while the token is accepted.
 */
export function codeAccessPath(at: At, person: Person): AccessPath {
  const had: string[] = [];
  return {
    name: 'code',
    async try() {
      // Redeeming the code again would revoke its tokens, whether or not the user is offboarded.
      if (had.length > 0) return worksStill(at, person, had);
      const answer = await tokenAccessPath(at.origin, person.tenant, person.code);
      if (answer.tokens !== undefined) had.push(answer.tokens.access_token);
      return answer;
    },
  };
}

/**
 * Signs in with the password and redeems the code. The only access path that yields new credentials; it may open again
 * after a reactivation.
 */
export function passwordAccessPath(at: At, person: Person): AccessPath {
  const had: string[] = [];
  const signIn = async (): Promise<Answer> => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: at.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'x',
    });
    const address = new URL(`${at.origin}/t/${person.tenant}/authorize?${query}`);
    const page = await walk(new Browser(at.origin), address, person.user);
    const code = page.url.searchParams.get('code');
    if (code !== null) {
      const answer = await tokenAccessPath(at.origin, person.tenant, {
        grant_type: 'authorization_code',
        client_id: at.clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      if (answer.tokens !== undefined) had.push(answer.tokens.access_token);
      if (answer.outcome !== 'closed') return answer;
    } else if (page.status !== 401) {
      // Other statuses do not concern the user: a fault lost the form, or a limit was reached.
      return { outcome: 'unavailable', said: String(page.status) };
    }
    return worksStill(at, person, had);
  };
  return {
    name: 'password',
    returns: true,
    try: () =>
      Promise.race([
        signIn().catch((error): Answer => ({ outcome: 'unavailable', said: String(error) })),
        sleep<Answer>(walkPatienceMs, { outcome: 'unavailable', said: 'no answer' }),
      ]),
  };
}

/** Milliseconds within which a process that is available again must check its open subscriptions. */
const afterwardsMs = 300;

/** Watches a subscription at one gateway. It is open while it has not ended and the gateway answers. */
export function subscriptionAccessPath(gateway: string, stream: Subscriber): AccessPath {
  let ended = false;
  void stream.ended.then(() => {
    ended = true;
  });
  return {
    name: 'subscription',
    async try() {
      if (ended) return { outcome: 'closed', said: stream.results.at(-1)?.errors?.[0]?.message ?? 'ended' };
      if ((await ask(`${gateway}/livez`)) === undefined) return { outcome: 'unavailable', said: 'no answer' };
      await sleep(afterwardsMs);
      return ended ? { outcome: 'closed', said: 'ended' } : { outcome: 'open', said: 'not ended' };
    },
    close: () => stream.stop(),
  };
}

/** Maximum wait for a subscription before an offboarding, in milliseconds; during a fault there may be none. */
const openWithinMs = 500;

/** @returns undefined when no subscription can be opened now */
export async function subscribe(gateway: string, token: string): Promise<Subscriber | undefined> {
  const subscription = { query: 'subscription { userChanged { kind } }' };
  const opening = listen(`${gateway}/graphql`, token, subscription).catch(() => undefined);
  const stream = await Promise.race([opening, sleep(openWithinMs, undefined)]);
  if (stream === undefined) void opening.then((late) => late?.stop());
  const isRefused = await Promise.race([stream?.ended.then(() => true), sleep(0, false)]);
  return isRefused ? undefined : stream;
}
