import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let web: string;
const publicOrigin = 'http://id.test';

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { publicOrigin });
  web = (await register(auth, publicClient)).client.clientId;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

/** Stops the process, deletes all keys in Redis, and starts another process. */
async function lifeGoesOn(): Promise<void> {
  const keys = await auth.deps.redis.keys(`${backend.prefix}:*`);
  if (keys.length > 0) await auth.deps.redis.del(...keys);
  await auth.stop();
  auth = await startAuth(backend, { publicOrigin });
}

const signIn = async (): Promise<Answer['body']> =>
  (await auth.post('/t/demo/token', (await issueCode(auth, web)).form)).body;
const refresh = (token: unknown) =>
  auth.post('/t/demo/token', { grant_type: 'refresh_token', refresh_token: String(token), client_id: web });
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const change = (assignment: string, tokens: Answer['body']) =>
  auth.database.sql.query(`UPDATE auth.refresh_families SET ${assignment} WHERE grant_id = $1`, [
    claimsOf(tokens.access_token).grant_id,
  ]);

describe('refresh tokens after a restart and a flushed Redis', () => {
  test('A refresh token continues to work after a restart and a flushed Redis.', async () => {
    const tokens = await signIn();
    await lifeGoesOn();
    const next = await refresh(tokens.refresh_token);
    expect(next.status).toBe(200);
    await lifeGoesOn();
    expect((await refresh(next.body.refresh_token)).status).toBe(200);
  });

  test('A refresh token that is retried after a restart returns the same successor as before.', async () => {
    const tokens = await signIn();
    const first = await refresh(tokens.refresh_token);
    await lifeGoesOn();
    const again = await refresh(tokens.refresh_token);
    expect([again.status, again.body.refresh_token]).toEqual([200, first.body.refresh_token]);
  });

  test('A refresh token that is replayed after a restart revokes the whole family.', async () => {
    const tokens = await signIn();
    const second = await refresh(tokens.refresh_token);
    const third = await refresh(second.body.refresh_token);
    await lifeGoesOn();
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(third.body.refresh_token)).toMatchObject(invalidGrant);
    await lifeGoesOn();
    expect(await refresh(third.body.refresh_token)).toMatchObject(invalidGrant);
  });

  test.each([
    ['idle for too long', "idle_expires_at = now() - interval '1 second'"],
    ['older than any grant may get', "absolute_expires_at = now() - interval '1 second'"],
  ])(
    'A refresh token that is %s is still rejected after a restart, and a valid one still works.',
    async (_name, assignment) => {
      const [expired, fresh] = [await signIn(), await signIn()];
      await change(assignment, expired);
      expect(await refresh(expired.refresh_token)).toMatchObject(invalidGrant);
      await lifeGoesOn();
      expect(await refresh(expired.refresh_token)).toMatchObject(invalidGrant);
      expect((await refresh(fresh.refresh_token)).status).toBe(200);
    },
  );
});
