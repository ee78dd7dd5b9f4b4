import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../support/browser.ts';
import { listen, type Subscriber } from '../support/live.ts';
import { walk } from '../support/sign-in.ts';
import { type Answer, ask, tokenDoor, userinfoDoor } from './asking.ts';
import type { Door, Person } from './person.ts';

/** Milliseconds within which a whole sign-in is walked through, or it counts as no answer. */
const walkPatienceMs = 8_000;

const redirectUri = 'http://127.0.0.1:53123/callback';

/** Who gives tokens, and to which app. */
export interface At {
  origin: string;
  clientId: string;
}

/** Whether one of the tokens that were had on the way still lets somebody in. */
async function worksStill({ origin }: At, { tenant }: Person, tokens: readonly string[]): Promise<Answer> {
  let last: Answer = { outcome: 'closed', said: 'no token' };
  for (const token of tokens) {
    last = await userinfoDoor(origin, tenant, token);
    if (last.outcome !== 'closed') return last;
  }
  return last;
}

/**
 * A code from before. It can be redeemed once; whoever could, has a token from then on, and the door is open for as long as that
 * is worth something.
 */
export function codeDoor(at: At, person: Person): Door {
  const had: string[] = [];
  return {
    name: 'code',
    async try() {
      // Redeemed again it would end what came of it, whoever has left or not.
      if (had.length > 0) return worksStill(at, person, had);
      const answer = await tokenDoor(at.origin, person.tenant, person.code);
      if (answer.tokens !== undefined) had.push(answer.tokens.access_token);
      return answer;
    },
  };
}

/**
 * Signing in by password, the whole way to a token that is good for something: the one door behind which there is something new.
 * It may be open again when the person has come back.
 */
export function passwordDoor(at: At, person: Person): Door {
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
      const answer = await tokenDoor(at.origin, person.tenant, {
        grant_type: 'authorization_code',
        client_id: at.clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      if (answer.tokens !== undefined) had.push(answer.tokens.access_token);
      if (answer.outcome !== 'closed') return answer;
    } else if (page.status !== 401) {
      // Whatever else there is to say isn't about the person: a fault lost the form, or there are too many at once.
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

/** Milliseconds for which a process that is there again may take to look at what it has open. */
const afterwardsMs = 300;

/** A subscription that is open at one gateway. It counts for as long as it isn't ended and the process is there to tell it something. */
export function subscriptionDoor(gateway: string, stream: Subscriber): Door {
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

/** Milliseconds that somebody waits for a subscription before they leave: in the middle of a fault there is none. */
const openWithinMs = 500;

/** @returns undefined when there is none to be had just now */
export async function subscribe(gateway: string, token: string): Promise<Subscriber | undefined> {
  const subscription = { query: 'subscription { userChanged { kind } }' };
  const opening = listen(`${gateway}/graphql`, token, subscription).catch(() => undefined);
  const stream = await Promise.race([opening, sleep(openWithinMs, undefined)]);
  if (stream === undefined) void opening.then((late) => late?.stop());
  const isRefused = await Promise.race([stream?.ended.then(() => true), sleep(0, false)]);
  return isRefused ? undefined : stream;
}
