import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import fc from 'fast-check';
import { RefreshTokenCodec } from '../../../src/access/grants/domain/refresh-token.ts';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  type IssuedCode,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../../support/running-auth.ts';

let backend: Backend;
/** Retry window of 10 seconds. */
let auth: RunningAuth;
let twin: RunningAuth;
/** Without a retry window. */
let strict: RunningAuth;
let web: string;
let api: readonly [string, string];

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  twin = await startAuth(backend, { publicOrigin: auth.origin });
  strict = await startAuth(backend, {
    publicOrigin: auth.origin,
    env: { REFRESH_RETRY_WINDOW_SECONDS: '0' },
  });
  web = (await register(auth, { ...publicClient, resources: ['https://api.example', 'https://b.example'] }))
    .client.clientId;
  const resourceServer = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    protected_resources: ['urn:ostiary:tenant-api', 'https://api.example'],
  });
  api = [resourceServer.client.clientId, resourceServer.clientSecret ?? ''];
});

afterAll(async () => {
  for (const running of [strict, twin, auth]) await running?.stop();
  await backend?.drop();
});

type Extra = Record<string, string | undefined>;

async function start(
  o: Parameters<typeof issueCode>[2] = {},
): Promise<{ issued: IssuedCode; tokens: Answer['body'] }> {
  const issued = await issueCode(auth, web, o);
  const { status, body } = await auth.post('/t/demo/token', issued.form);
  expect(status).toBe(200);
  return { issued, tokens: body };
}

const refresh = (token: unknown, extra: Extra = {}, at = auth, tenant = 'demo') =>
  at.post(`/t/${tenant}/token`, {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    client_id: web,
    ...extra,
  });
const isActive = async (token: unknown) =>
  (await auth.post('/t/demo/introspect', { token: String(token) }, { basic: api })).body.active;
const sql = (statement: string, ...values: unknown[]) => auth.database.sql.query(statement, values);
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('rotation', () => {
  test('A rotation returns a new refresh token of the same grant, and an ID token without the nonce.', async () => {
    const { tokens } = await start();
    const { status, headers, body } = await refresh(tokens.refresh_token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect(body.scope).toBe(tokens.scope);
    const [before, after] = [claimsOf(tokens.access_token), claimsOf(body.access_token)];
    expect(after.jti).not.toBe(before.jti);
    for (const claim of ['sub', 'aud', 'grant_id', 'sid', 'auth_time'])
      expect(after[claim]).toEqual(before[claim]);
    const id = claimsOf(body.id_token);
    expect(id).toMatchObject({ sub: before.sub, aud: web, auth_time: before.auth_time });
    expect(id).not.toHaveProperty('nonce');
  });

  test('The scope parameter narrows one access token and not the grant.', async () => {
    const { tokens } = await start();
    const narrow = await refresh(tokens.refresh_token, { scope: 'openid' });
    expect(narrow.body.scope).toBe('openid');
    expect((await refresh(narrow.body.refresh_token)).body.scope).toBe(tokens.scope);
  });

  test('A wider scope is rejected with invalid_scope and does not consume the refresh token.', async () => {
    const { tokens } = await start();
    for (const [scope, said] of [
      ['openid users:read', 'Scope users:read was not granted.'],
      ['nonsense', 'Scope nonsense was not granted.'],
      ['openid "', 'scope must be a space-separated list of at most 100 scopes.'],
    ] as const) {
      expect(await refresh(tokens.refresh_token, { scope })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope', error_description: said },
      });
    }
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('Resources requested at refresh stay within the grant.', async () => {
    const { tokens } = await start({ resources: ['https://api.example', 'https://b.example'] });
    const one = await refresh(tokens.refresh_token, { resource: 'https://b.example' });
    expect(claimsOf(one.body.access_token).aud).toBe('https://b.example');
    for (const resource of [auth.issuer('demo'), 'https://c.example']) {
      expect((await refresh(one.body.refresh_token, { resource })).body.error).toBe('invalid_target');
    }
    expect(claimsOf((await refresh(one.body.refresh_token)).body.access_token).aud).toHaveLength(2);
  });

  test('A removed role removes its scopes from the next access token.', async () => {
    const { tokens, issued } = await start({ scopes: ['openid', 'users:read'], roles: ['tenant_admin'] });
    expect(tokens.scope).toBe('openid users:read');
    await sql('DELETE FROM auth.role_assignments WHERE subject_id = $1', issued.person.subjectId);
    expect((await refresh(tokens.refresh_token)).body.scope).toBe('openid');
  });
});

describe('retry and replay', () => {
  test('A refresh token that is repeated within the retry window returns the same successor.', async () => {
    const { tokens } = await start();
    const first = await refresh(tokens.refresh_token);
    const again = await refresh(tokens.refresh_token, {}, twin);
    expect(again.status).toBe(200);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect(again.body.access_token).not.toBe(first.body.access_token);
    expect((await refresh(again.body.refresh_token)).status).toBe(200);
  });

  test('20 parallel refreshes within the retry window all return the same successor.', async () => {
    const { tokens } = await start();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(tokens.refresh_token, {}, index % 2 ? auth : twin)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1);
    expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200);
  });

  test('Of 20 parallel refreshes without a retry window, one succeeds, the others are replays, and the family is revoked.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tokens } = await start();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => refresh(tokens.refresh_token, {}, strict)),
      );
      const successes = answers.filter((answer) => answer.status === 200);
      expect(successes).toHaveLength(1);
      expect(answers.filter((answer) => answer.body.error === 'invalid_grant')).toHaveLength(19);
      expect(await refresh(successes[0]?.body.refresh_token, {}, strict)).toMatchObject(invalidGrant);
      expect(await isActive(successes[0]?.body.access_token)).toBe(false);
    }
  });

  test('A second use after the retry window revokes the family, the grant and every access token.', async () => {
    const { tokens } = await start();
    const next = await refresh(tokens.refresh_token);
    await sql(
      "UPDATE auth.refresh_families SET rotated_at = now() - interval '11 seconds' WHERE id = $1",
      familyOf(tokens),
    );
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(next.body.refresh_token)).toMatchObject(invalidGrant);
    expect(await isActive(tokens.access_token)).toBe(false);
    expect(await isActive(next.body.access_token)).toBe(false);
    const verdict = auth.deps.verifier.verify(String(next.body.access_token), {
      audience: auth.issuer('demo'),
    });
    await expect(verdict).rejects.toMatchObject({ error: 'invalid_token' });
  });

  test('A second use within the retry window revokes the family once the successor has been used.', async () => {
    const { tokens } = await start();
    const second = await refresh(tokens.refresh_token);
    const third = await refresh(second.body.refresh_token);
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(third.body.refresh_token)).toMatchObject(invalidGrant);
  });

  test('A family revoked by replay has one entry in the revocation feed, even if the replay is repeated.', async () => {
    const { tokens } = await start();
    await refresh(tokens.refresh_token, {}, strict);
    for (let time = 0; time < 3; time += 1) await refresh(tokens.refresh_token, {}, strict);
    const grantId = claimsOf(tokens.access_token).grant_id;
    expect((await sql('SELECT 1 FROM auth.revocations WHERE key = $1', grantId)).rowCount).toBe(1);
  });
});

describe('bindings of a refresh token', () => {
  test('A refresh token is rejected when another client presents it.', async () => {
    const { tokens } = await start();
    const other = (await register(auth, publicClient)).client.clientId;
    expect(await refresh(tokens.refresh_token, { client_id: other })).toMatchObject(invalidGrant);
    const confidential = await register(auth, {
      ...publicClient,
      token_endpoint_auth_method: 'client_secret_post',
    });
    const theirs = { client_id: confidential.client.clientId, client_secret: confidential.clientSecret };
    expect(await refresh(tokens.refresh_token, theirs)).toMatchObject(invalidGrant);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('A refresh token is rejected at another tenant.', async () => {
    const { tokens } = await start();
    await auth.deps.clientRegistry.register(
      'rival',
      { ...publicClient, client_name: 'Same id' },
      { clientId: web },
    );
    expect(await refresh(tokens.refresh_token, {}, auth, 'rival')).toMatchObject(invalidGrant);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('A refresh token of a confidential client is rejected without client authentication.', async () => {
    const { client, clientSecret = '' } = await register(auth, {
      ...publicClient,
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['https://app.example/cb'],
    });
    const own = { basic: [client.clientId, clientSecret] as const };
    const { form } = await issueCode(auth, client.clientId, { redirectUri: 'https://app.example/cb' });
    const { body } = await auth.post('/t/demo/token', { ...form, client_id: undefined }, own);
    const request = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    expect((await auth.post('/t/demo/token', { ...request, client_id: client.clientId })).body.error).toBe(
      'invalid_client',
    );
    expect((await auth.post('/t/demo/token', request, own)).status).toBe(200);
  });

  test.each<[string, string]>([
    ['the person is deactivated', 'UPDATE auth.subjects SET active = false WHERE id = $1'],
    ['the person is deleted', 'UPDATE auth.subjects SET deleted = true WHERE id = $1'],
    ['everything of the person was revoked', 'UPDATE auth.subjects SET epoch = epoch + 1 WHERE id = $1'],
    ['the grant is revoked', 'UPDATE auth.grants SET revoked_at = now() WHERE subject_id = $1'],
    [
      'the grant has expired',
      "UPDATE auth.grants SET expires_at = now() - interval '1 s' WHERE subject_id = $1",
    ],
    [
      'it was idle for too long',
      `UPDATE auth.refresh_families SET idle_expires_at = now() - interval '1 s'
       WHERE grant_id = (SELECT id FROM auth.grants WHERE subject_id = $1)`,
    ],
    [
      'its absolute lifetime is over',
      `UPDATE auth.refresh_families SET absolute_expires_at = now() - interval '1 s'
       WHERE grant_id = (SELECT id FROM auth.grants WHERE subject_id = $1)`,
    ],
  ])('A refresh token is rejected when %s, also as a retry.', async (_, statement) => {
    const { tokens, issued } = await start();
    const next = await refresh(tokens.refresh_token);
    await sql(statement, issued.person.subjectId);
    expect(await refresh(next.body.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
  });

  test('A refresh token of a disabled client is rejected in any process.', async () => {
    const { client } = await register(auth, publicClient);
    const { form } = await issueCode(auth, client.clientId);
    const { body } = await twin.post('/t/demo/token', form);
    await auth.deps.clientRegistry.disable('demo', client.clientId);
    const answer = await refresh(body.refresh_token, { client_id: client.clientId }, twin);
    expect(['invalid_client', 'invalid_grant']).toContain(answer.body.error);
    expect(await isActive(body.access_token)).toBe(false);
  });

  test('A rotation extends the idle expiry, but never beyond the absolute expiry.', async () => {
    const { tokens } = await start();
    const family = familyOf(tokens);
    await sql(
      "UPDATE auth.refresh_families SET absolute_expires_at = now() + interval '1 hour' WHERE id = $1",
      family,
    );
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    const { rowCount } = await sql(
      'SELECT 1 FROM auth.refresh_families WHERE id = $1 AND idle_expires_at = absolute_expires_at',
      family,
    );
    expect(rowCount).toBe(1);
  });

  test('A sign-out revokes all grants of the session, except offline access.', async () => {
    const offline = await start();
    const online = await start({ scopes: ['openid'] });
    for (const { issued } of [offline, online]) {
      await auth.database.transaction((tx) =>
        auth.deps.grants.revokeBySession(tx, 'demo', issued.person.sessionId, { keepOffline: true }),
      );
    }
    expect(await refresh(online.tokens.refresh_token)).toMatchObject(invalidGrant);
    const renewed = await refresh(offline.tokens.refresh_token);
    expect(renewed.status).toBe(200);
    expect(claimsOf(renewed.body.access_token)).not.toHaveProperty('sid');
  });
});

describe('token format', () => {
  test('An invented, changed or truncated token is rejected with invalid_grant, an empty one with invalid_request.', async () => {
    const { tokens } = await start();
    const token = String(tokens.refresh_token);
    const flipped = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const other of [
      'x',
      token.slice(0, -1),
      `${token}A`,
      flipped,
      `${token}=`,
      token.toUpperCase(),
      'ort_',
      String(tokens.access_token),
    ]) {
      expect(await refresh(other)).toMatchObject(invalidGrant);
    }
    expect((await refresh('')).body.error).toBe('invalid_request');
    expect((await refresh(token)).status).toBe(200);
  });

  test('The database contains nothing that can be redeemed as a refresh token.', async () => {
    const { tokens } = await start();
    const { rows } = await sql(
      'SELECT f::text AS family FROM auth.refresh_families f WHERE id = $1',
      familyOf(tokens),
    );
    const mac = Buffer.from(String(tokens.refresh_token).slice(4), 'base64url').subarray(36).toString('hex');
    expect(JSON.stringify(rows)).not.toContain(mac);
  });

  test('Every token parses back to its parts, and a token with a single changed character does not parse.', () => {
    const key = randomBytes(32);
    const codec = new RefreshTokenCodec(() => key);
    fc.assert(
      fc.property(
        fc.nat(0xffffffff),
        fc.nat(90),
        fc.integer({ min: 1, max: 63 }),
        (generation, position, shift) => {
          const parts = { familyId: uuidv7(), generation, salt: randomBytes(16) };
          const token = codec.format('demo', parts);
          expect(codec.parse('demo', token)).toEqual(parts);
          expect(codec.parse('rival', token)).toBeUndefined();
          const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
          const at = 4 + position;
          const other = alphabet[(alphabet.indexOf(token[at] ?? '') + shift) % 64];
          expect(codec.parse('demo', token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
        },
      ),
    );
  });
});

/** Returns the id of the family in a token. */
const familyOf = (tokens: Answer['body']): string => {
  const hex = Buffer.from(String(tokens.refresh_token).slice(4), 'base64url').subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
