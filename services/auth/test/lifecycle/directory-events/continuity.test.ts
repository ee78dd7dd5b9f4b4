import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DatabaseUnavailable } from '@ostiary/database';
import { eventually, waitBoundMs } from '@ostiary/service/testing';
import { epochOf, scope, signedIn } from '../../support/sign-in/departing.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { authorizeUrl, redeem, rival, signInAndAllow, tenant, token } from '../../support/sign-in/service.ts';

// Longer than this process may pause for garbage collection during a test.
setUpOneClient({ breakMs: 3_000 });

/**
 * Simulates a PostgreSQL that refuses every connection for pings. Other statements are answered, which also proves the
 * connection, so `answeredAt` is ignored during the test.
 */
let ping: jest.SpiedFunction<() => Promise<void>>;
let answeredAt: jest.SpiedGetter<number>;
const goAway = () => {
  answeredAt.mockReturnValue(Number.NEGATIVE_INFINITY);
  ping.mockRejectedValue(new DatabaseUnavailable({ code: 'ECONNREFUSED' }));
};
const comeBack = () => ping.mockRestore();
const breakHasBegun = () => eventually(async () => !service.deps.continuity.sound);

beforeEach(() => {
  ping = jest.spyOn(service.deps.database, 'ping');
  answeredAt = jest.spyOn(service.deps.database, 'answeredAt', 'get');
});
afterEach(async () => {
  comeBack();
  service.directory.available = true;
  await eventually(async () => service.deps.continuity.sound);
  answeredAt.mockRestore();
});

type AnyUser = Awaited<ReturnType<typeof signedIn>>;

const get = async (path: string, accessToken?: string) =>
  (
    await fetch(
      `${service.origin}${path}`,
      accessToken ? { headers: { authorization: `Bearer ${accessToken}` } } : {},
    )
  ).status;
const refresh = ({ tokens }: AnyUser) =>
  token(service, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });
const internally = async (path: string, body?: unknown) =>
  service.internal(body === undefined ? 'GET' : 'POST', path, body, 'gateway');

/** Returns the result of each access path for a user: open, shut (rejected), or 503. */
async function doors(anyUser: AnyUser): Promise<Record<string, 'open' | 'shut' | 'unavailable'>> {
  const stateOf = (status: number, open = status < 400) =>
    status === 503 ? 'unavailable' : open ? 'open' : 'shut';
  const access = anyUser.tokens.access_token ?? '';
  const introspection = await internally('/introspect', { tenant, token: access });
  const session = await anyUser.browser.get(authorizeUrl(client, { prompt: 'none' }));
  return {
    userinfo: stateOf(await get(`/t/${tenant}/userinfo`, access)),
    refresh: stateOf((await refresh(anyUser)).status),
    introspection: stateOf(introspection.status, introspection.body.active === true),
    session: stateOf(session.status, session.location?.includes('code=') === true),
  };
}
/** Returns the readiness report of the process. */
async function readiness(): Promise<{ status: number; departures: unknown }> {
  const answer = await fetch(`${service.origin}/readyz`);
  const { dependencies } = (await answer.json()) as { dependencies: Record<string, unknown> };
  return { status: answer.status, departures: dependencies.departures };
}
const all = (state: string) => ({ userinfo: state, refresh: state, introspection: state, session: state });

test('An offboarding that was not delivered is applied after a break before any access path answers other than 503.', async () => {
  const [leaver, stayer] = [await signedIn('leaver'), await signedIn('stayer')];
  const event = service.directory.changed(tenant, leaver.person.id, 'user.deactivated');
  await service.directory.hold([event]);
  expect(await doors(leaver)).toEqual(all('open'));

  goAway();
  await breakHasBegun();
  expect(await doors(leaver)).toEqual(all('unavailable'));
  expect(await doors(stayer)).toEqual(all('unavailable'));
  expect((await internally('/revocations')).status).toBe(503);
  expect(await get(`/t/${tenant}/login`)).toBe(503);
  expect(await readiness()).toEqual({
    status: 503,
    departures: expect.objectContaining({ status: 'down', required: true, reason: 'catching_up' }),
  });
  // Keys, directory events and revocations keep working.
  expect(await get(`/t/${tenant}/jwks`)).toBe(200);
  expect(await get(`/t/${tenant}/.well-known/openid-configuration`)).toBe(200);
  expect((await service.internal('POST', '/events/missing', { ids: [] }, 'directory')).status).toBe(200);
  const revoked = await fetch(`${service.origin}/t/${tenant}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.clientId, token: 'unknown' }),
  });
  expect(revoked.status).toBe(200);
  expect(await epochOf(leaver.person.id)).toBe(0);

  comeBack();
  await eventually(
    async () => {
      const states = Object.values(await doors(leaver));
      expect(states).not.toContain('open');
      return { epoch: await epochOf(leaver.person.id), states };
    },
    ({ epoch, states }) => epoch === 1 && !states.includes('unavailable'),
  );
  expect(await doors(leaver)).toEqual(all('shut'));
  expect(await doors(stayer)).toEqual(all('open'));
  const feed = (await internally('/revocations')).body as { entries?: { key: string }[] };
  expect(feed.entries?.map(({ key }) => key)).toContain(leaver.person.id);
  expect((await readiness()).departures).toEqual({ status: 'up', required: true });
});

test('Access is possible again for a user with the same name in another tenant.', async () => {
  const elsewhere = await service.client({ require_consent: false }, rival);
  const leaver = await signedIn('namesake');
  await service.person('namesake', { tenant: rival });
  const { body } = await redeem(
    service,
    elsewhere,
    await signInAndAllow(service.browser(), elsewhere, 'namesake', { scope }),
  );
  await service.directory.hold([service.directory.changed(tenant, leaver.person.id, 'user.deleted')]);
  goAway();
  await breakHasBegun();
  expect(await get(`/t/${rival}/userinfo`, body.access_token)).toBe(503);
  comeBack();
  await eventually(async () => (await get(`/t/${rival}/userinfo`, body.access_token)) === 200);
  expect(await get(`/t/${tenant}/userinfo`, leaver.tokens.access_token)).toBe(401);
});

test('A database outage of one second does not count as a break.', async () => {
  const stayer = await signedIn('blinking');
  goAway();
  await sleep(1_000);
  expect(await doors(stayer)).toEqual(all('open'));
});

test('A request that begins before a break and ends after it is rejected with 503.', async () => {
  const stayer = await signedIn('hanging');
  const { database } = service.deps;
  let answer: Promise<{ status: number }> | undefined;
  await database.transaction(async (tx) => {
    await tx.query("SET LOCAL idle_in_transaction_session_timeout = '30s'");
    await tx.query('SELECT 1 FROM auth.refresh_families FOR UPDATE');
    answer = refresh(stayer);
    await sleep(200);
    goAway();
    await breakHasBegun();
  });
  expect((await answer)?.status).toBe(503);
  comeBack();
  await eventually(async () => service.deps.continuity.sound);
  // A repeated request gets the result that the first one would have had.
  expect((await refresh(stayer)).status).toBe(200);
});

describe('unresponsive directory', () => {
  test('The process waits about five seconds for the directory after the database is back, and no longer.', async () => {
    const stayer = await signedIn('patient');
    goAway();
    await breakHasBegun();
    service.directory.available = false;
    comeBack();
    const begun = performance.now();
    let waited = 0;
    while ((await get(`/t/${tenant}/userinfo`, stayer.tokens.access_token)) === 503) {
      waited = performance.now() - begun;
      if (waited > waitBoundMs) throw new Error('The directory is still waited for');
      await sleep(50);
    }
    expect(waited).toBeGreaterThan(3_500);
    expect(await doors(stayer)).toEqual(all('open'));
    expect(service.logs.join('')).toContain('directory_events.gap_unknown');
  });
});
