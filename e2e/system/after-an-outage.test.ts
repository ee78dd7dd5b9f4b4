import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, waitBoundMs } from '@ostiary/service/testing';
import * as client from 'openid-client';
import pg from 'pg';
import { unique } from '../support/demo.ts';
import { Doors, type Person } from '../support/doors.ts';
import { briefStaleness, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { everyOwnScope, isSignedIn, signIn } from '../support/sign-in.ts';

/** Shorter than the outages of this test. */
const stalenessSeconds = Number(briefStaleness.REVOCATION_MAX_STALENESS_SECONDS);

let own: OwnSystem;
let second: { url: string; stop(): Promise<void> };
let scim: ScimClient;
let doors: Doors;

beforeAll(async () => {
  own = await ownSystem({ env: briefStaleness });
  second = await own.system.spawnExtra('auth');
  scim = new ScimClient(tenant(), tenant().clients.scim.token);
  doors = new Doors(own.demo, tenant(), scim);
});

afterAll(async () => {
  await second?.stop();
  await own?.stop();
});

const tenant = () => own.demo.tenants.demo;

type AccessState = 'open' | 'shut' | 'unavailable';

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

async function answered(url: string, init?: RequestInit): Promise<Answered> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(waitBoundMs) }).catch(
    () => undefined,
  );
  const text = (await response?.text().catch(() => '')) ?? '';
  const isJson = (response?.headers.get('content-type') ?? '').includes('json');
  return { status: response?.status ?? 503, body: isJson && text !== '' ? JSON.parse(text) : {} };
}

const stateOf = (status: number, open: boolean): AccessState =>
  open ? 'open' : status >= 500 ? 'unavailable' : 'shut';

const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(fields),
});

const exchangeOf = (token: string) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  scope: 'openid',
});

/** Requests to each access path with their results. Those of auth go to the process at `origin`. */
function ways(person: Person, origin: string): Record<string, () => Promise<AccessState>> {
  const issuer = `${origin}/t/demo`;
  const { access_token: access, refresh_token: refreshToken = '' } = person.signedIn.tokens;
  const bearer = { authorization: `Bearer ${access}` };
  const api = { authorization: basic(tenant().clients.api) };
  const ok = async (asked: Promise<Answered>): Promise<AccessState> => {
    const { status } = await asked;
    return stateOf(status, status === 200);
  };
  return {
    userinfo: () => ok(answered(`${issuer}/userinfo`, { headers: bearer })),
    introspection: async () => {
      const { status, body } = await answered(`${issuer}/introspect`, form({ token: access }, api));
      return stateOf(status, body.active === true);
    },
    'introspection of the refresh token': async () => {
      const { status, body } = await answered(`${issuer}/introspect`, form({ token: refreshToken }, api));
      return stateOf(status, body.active === true);
    },
    refresh: () => {
      const { client_id } = tenant().clients.web;
      return ok(
        answered(
          `${issuer}/token`,
          form({ grant_type: 'refresh_token', client_id, refresh_token: refreshToken }),
        ),
      );
    },
    exchange: () => ok(answered(`${issuer}/token`, form(exchangeOf(access), api))),
    // Through the edge, at other verifiers.
    graph: async () => {
      const status = await doors.graph(person).catch(() => 503);
      return stateOf(status, status === 200);
    },
    scim: async () => {
      const status = await doors.scim(person).catch(() => 503);
      // /Me returns 403 without the scope, so only 401 means rejected.
      return stateOf(status, status < 500 && status !== 401);
    },
    session: async () => {
      const address = client.buildAuthorizationUrl(person.signedIn.config, {
        redirect_uri: 'http://127.0.0.1:53123/callback',
        scope: everyOwnScope,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        prompt: 'none',
      });
      const page = await person.signedIn.browser.open(address).catch(() => undefined);
      return stateOf(page?.status ?? 503, page !== undefined && isSignedIn(page.url.searchParams));
    },
  };
}

interface Watch {
  seen: { way: string; at: number; state: AccessState }[];
  stop(): Promise<void>;
}

/** Sends requests to every access path repeatedly, without pauses except 5 ms. */
function watch(person: Person, origins: readonly string[]): Watch {
  const seen: Watch['seen'] = [];
  let over = false;
  const loops = origins.flatMap((origin) =>
    Object.entries(ways(person, origin)).map(async ([way, attempt]) => {
      while (!over) {
        const outcome = await attempt();
        seen.push({ way, at: performance.now(), state: outcome });
        await sleep(5);
      }
    }),
  );
  return {
    seen,
    stop: async () => {
      over = true;
      await Promise.all(loops);
    },
  };
}

const origins = () => [own.system.urls.auth, second.url];
const everyCheckResult = (watched: Watch, since: number): Record<string, AccessState[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(watched.seen, ({ way }) => way)).map(([way, all = []]) => [
      way,
      [...new Set(all.filter(({ at }) => at >= since).map(({ state: said }) => said))],
    ]),
  );

/**
 * Sends one request to every access path at every process. Refreshing replaces the refresh token, so its introspection
 * is left out.
 */
async function statesOf(person: Person): Promise<Record<string, AccessState[]>> {
  const states = origins().map(async (origin) => {
    const { 'introspection of the refresh token': _, ...asked } = ways(person, origin);
    return Promise.all(Object.entries(asked).map(async ([way, attempt]) => [way, await attempt()] as const));
  });
  const said = (await Promise.all(states)).flat();
  return Object.fromEntries(
    said.map(([way]) => [way, said.filter((one) => one[0] === way).map(([, is]) => is)]),
  );
}
const areAll = (states: Record<string, AccessState[]>, state: AccessState): boolean =>
  Object.values(states).every((said) => said.every((one) => one === state));

/**
 * Waits until all access paths have the result. On a busy machine a request may be repeated, because no list may be
 * older than three seconds.
 */
async function expectAll(person: Person, state: AccessState): Promise<void> {
  const states = await eventually(
    () => statesOf(person),
    (said) => areAll(said, state),
  );
  expect(states).toEqual(Object.fromEntries(Object.keys(states).map((way) => [way, [state, state]])));
}

/** Offboards a user and stops PostgreSQL before any other service has received the event. */
async function leaveUnheard(person: Person): Promise<void> {
  // The lock prevents auth from writing into its inbox until PostgreSQL ends.
  const obstacle = new pg.Client({ connectionString: own.system.databaseUrl });
  obstacle.on('error', () => undefined);
  await obstacle.connect();
  await obstacle.query('BEGIN');
  await obstacle.query('LOCK TABLE auth.inbox_entries IN SHARE MODE');
  const answer = await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
  expect(answer.status).toBe(200);
  // Prevents the directory from retrying immediately after PostgreSQL returns.
  await own.system.kill('directory', 'SIGSTOP');
  await own.system.stop('postgres');
}

test('A user offboarded just before a long outage of PostgreSQL gets no access when it is back.', async () => {
  const [leaver, stayer] = [await doors.employ(), await doors.employ()];
  await expectAll(leaver, 'open');
  // `statesOf` has replaced the refresh token.
  leaver.signedIn = await signIn(own.demo, tenant(), leaver.user);
  await leaveUnheard(leaver);
  await sleep(stalenessSeconds * 1_000 + 3_000);
  await expectAll(leaver, 'unavailable');

  const watched = watch(leaver, origins());
  const since = performance.now();
  try {
    const back = own.system.start('postgres');
    // The directory returns later than the other processes.
    await sleep(1_500);
    await own.system.kill('directory', 'SIGCONT');
    await back;
    await eventually(
      () => statesOf(stayer),
      (states) => areAll(states, 'open'),
    );
    await eventually(
      async () => Object.values(everyCheckResult(watched, since)),
      (said) => said.every((checkResults) => checkResults.includes('shut')),
    );
    await sleep(1_000);
  } finally {
    await own.system.kill('directory', 'SIGCONT');
    await watched.stop();
  }
  for (const [way, said] of Object.entries(everyCheckResult(watched, since))) {
    expect([way, said]).not.toEqual([way, expect.arrayContaining(['open'])]);
    expect([way, said]).toEqual([way, expect.arrayContaining(['shut'])]);
  }
  await doors.expectDead(leaver);
});

test('Without the directory, everything else recovers within a few seconds.', async () => {
  const stayer = await doors.employ();
  await own.system.stop('directory');
  await own.system.stop('postgres');
  await sleep(stalenessSeconds * 1_000 + 1_000);
  await own.system.start('postgres');
  try {
    const [issuer] = origins();
    const refresh = ways(stayer, issuer ?? '').refresh ?? (async () => 'shut' as const);
    expect(await eventually(refresh, (said) => said !== 'unavailable')).toBe('open');
  } finally {
    await own.system.start('directory');
  }
  const newcomer = { userName: unique('newcomer'), password: unique('correct horse battery') };
  await eventually(
    () => scim.createUser(newcomer).catch(() => undefined),
    (made) => made !== undefined,
  );
  expect((await signIn(own.demo, tenant(), newcomer)).subject).not.toBe('');
});
