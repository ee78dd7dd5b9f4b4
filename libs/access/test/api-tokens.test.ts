import { beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '@ostiary/service';
import {
  isWellFormedApiToken,
  type LiveApiToken,
  LocalTokenVerifier,
  looksLikeApiToken,
  newApiToken,
  RevocationList,
  type TokenVerifier,
} from '../src/index.ts';
import { publicOrigin } from './issuer.ts';

const own = { audience: (tenant: string) => `${publicOrigin}/t/${tenant}`, tenant: 'demo' };
const soon = (): number => Math.floor(Date.now() / 1000) + 600;

let answers: Map<string, LiveApiToken>;
let asked: number;
let down: boolean;
let list: RevocationList;
let now: number;
/** Milliseconds by which the wall clock is ahead. */
let ahead: number;
let verifier: TokenVerifier;

const personal = (change: Partial<LiveApiToken> = {}): LiveApiToken => ({
  tenant: 'demo',
  kind: 'personal',
  id: 'token-1',
  subject: 'alice',
  scopes: ['openid', 'users:read'],
  expiresAt: soon(),
  epoch: 3,
  ...change,
});

beforeEach(() => {
  answers = new Map();
  asked = 0;
  down = false;
  now = 1_000;
  ahead = 0;
  list = new RevocationList();
  list.touch(now);
  verifier = new LocalTokenVerifier({
    publicOrigin,
    keys: {
      keys: () => {
        throw new Error('an API token is never tried as a JWT');
      },
    },
    revocations: list,
    introspect: async () => {
      throw new Error('an API token is never introspected as a JWT');
    },
    apiToken: async (token) => {
      asked += 1;
      if (down) throw new ServiceUnavailable('auth');
      return answers.get(token);
    },
    maxStalenessMs: 10_000,
    clock: () => Date.now() + ahead,
    monotonic: () => now,
  });
});

function issued(live: LiveApiToken): string {
  const token = newApiToken(live.kind);
  answers.set(token, live);
  return token;
}

const refusal = { statusCode: 401, error: 'invalid_token' };

/** Advances the time; keeps the list fresh unless `fresh` is false. */
function pass(ms: number, fresh = true): void {
  now += ms;
  if (fresh) list.touch(now);
}

describe('the format of an API token', () => {
  test('An API token has a prefix that names its kind, 40 random characters, and a checksum over both.', () => {
    expect(newApiToken('personal')).toMatch(/^ost_pat_[0-9A-Za-z]{46}$/);
    expect(newApiToken('service_account')).toMatch(/^ost_key_[0-9A-Za-z]{46}$/);
    expect(new Set(Array.from({ length: 1_000 }, () => newApiToken('personal'))).size).toBe(1_000);
    for (let round = 0; round < 200; round += 1) {
      expect(isWellFormedApiToken(newApiToken(round % 2 ? 'personal' : 'service_account'))).toBe(true);
    }
  });

  test('Every changed, missing or added character of an API token is detected, and its prefix cannot be exchanged.', () => {
    const token = newApiToken('personal');
    for (let index = 8; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a';
      expect(isWellFormedApiToken(token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
      expect(isWellFormedApiToken(token.slice(0, index))).toBe(false);
    }
    expect(isWellFormedApiToken(`${token}0`)).toBe(false);
    expect(isWellFormedApiToken(`${token}\n`)).toBe(false);
    expect(isWellFormedApiToken(token.replace('ost_pat_', 'ost_key_'))).toBe(false);
    expect(looksLikeApiToken('ost_scim_abc')).toBe(false);
    expect(looksLikeApiToken('eyJhbGciOiJFUzI1NiJ9.e30.AA')).toBe(false);
  });
});

describe('a valid API token', () => {
  test('A valid API token of a user becomes a user, with the id of the token and the epoch it was created in.', async () => {
    const principal = await verifier.verify(issued(personal()), own);
    expect(principal).toMatchObject({
      tenant: 'demo',
      kind: 'user',
      subject: 'alice',
      jti: 'token-1',
      subjectEpoch: 3,
      issuer: `${publicOrigin}/t/demo`,
      apiToken: 'personal',
    });
    expect([...principal.scopes]).toEqual(['openid', 'users:read']);
    expect(principal.clientEpoch).toBeUndefined();
  });

  test('A valid API token of a service account becomes a client.', async () => {
    const principal = await verifier.verify(
      issued(personal({ kind: 'service_account', subject: 'robot' })),
      own,
    );
    expect(principal).toMatchObject({ kind: 'client', subject: 'robot', clientId: 'robot', clientEpoch: 3 });
    expect(principal.subjectEpoch).toBeUndefined();
  });

  test('A valid API token is looked up once in half a minute, with any number of concurrent requests.', async () => {
    const token = issued(personal());
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token, own)));
    await verifier.verify(token, own);
    expect(asked).toBe(1);
    pass(31_000);
    await verifier.verify(token, own);
    expect(asked).toBe(2);
  });
});

describe('a rejected API token', () => {
  test.each([
    ['never issued', () => newApiToken('personal')],
    ['truncated', () => issued(personal()).slice(0, -1)],
    ['with a forged checksum', () => `${issued(personal()).slice(0, -6)}000000`],
    ['of another tenant', () => issued(personal({ tenant: 'rival' }))],
    ['expired', () => issued(personal({ expiresAt: Math.floor(Date.now() / 1000) }))],
    ['nothing but a prefix', () => 'ost_pat_'],
  ])('An API token is rejected: %s.', async (_name, make) => {
    await expect(verifier.verify(make(), own)).rejects.toMatchObject(refusal);
  });

  test('A malformed API token costs the authorization server no request.', async () => {
    const token = issued(personal());
    await expect(verifier.verify(token.slice(0, -1), own)).rejects.toMatchObject(refusal);
    expect(asked).toBe(0);
  });

  test('An API token is rejected at another audience, and at an internal route.', async () => {
    const token = issued(personal());
    await expect(verifier.verify(token, { audience: 'https://api.example' })).rejects.toMatchObject(refusal);
    await expect(
      verifier.verify(token, { audience: 'urn:ostiary:service:auth', issuers: 'platform' }),
    ).rejects.toMatchObject(refusal);
  });

  test('A cached API token is rejected after it expires.', async () => {
    const token = issued(personal({ expiresAt: Date.now() / 1000 + 60 }));
    await verifier.verify(token, own);
    ahead = 61_000;
    await expect(verifier.verify(token, own)).rejects.toMatchObject(refusal);
    expect(asked).toBe(1);
  });
});

describe('a cached API token after a revocation', () => {
  const entry = { seq: '1', tenant: 'demo', expiresAt: soon() };
  test.each([
    ['when it is revoked', {}, { ...entry, kind: 'jti', key: 'token-1' }],
    ['when its owner left', {}, { ...entry, kind: 'subject', key: 'alice', epoch: 4 }],
    ['when the tenant was suspended', {}, { ...entry, kind: 'tenant', key: 'demo' }],
    [
      'when the service account was disabled',
      { kind: 'service_account', subject: 'robot' },
      { ...entry, kind: 'client', key: 'robot', epoch: 4 },
    ],
  ] as const)('A cached API token is rejected immediately %s.', async (_name, change, revocation) => {
    const token = issued(personal(change));
    await verifier.verify(token, own);
    list.apply([revocation]);
    // Also while the authorization server, or an answer in transit, still reports the token as active.
    await expect(verifier.verify(token, own)).rejects.toMatchObject(refusal);
  });

  test('A cached token of a changed service account stays valid if a newer epoch of it is known.', async () => {
    const robot = { kind: 'service_account', subject: 'robot' } as const;
    const token = issued(personal(robot));
    await verifier.verify(token, own);
    list.apply([{ ...entry, kind: 'client', key: 'robot', epoch: 4 }]);
    answers.set(token, personal({ ...robot, epoch: 4, scopes: ['openid'] }));
    expect([...(await verifier.verify(token, own)).scopes]).toEqual(['openid']);
    await verifier.verify(token, own);
    expect(asked).toBe(2);
  });

  test('A cached API token does not end with any other token, tenant or subject.', async () => {
    const token = issued(personal());
    list.apply([
      { ...entry, kind: 'jti', key: 'token-2' },
      { ...entry, tenant: 'rival', kind: 'jti', key: 'token-1' },
      { ...entry, kind: 'subject', key: 'alice', epoch: 3 },
      { ...entry, kind: 'client', key: 'alice', epoch: 9 },
    ]);
    await verifier.verify(token, own);
  });
});

describe('while the revocation list is stale', () => {
  test('A cached API token is not trusted while the revocation list is stale, so each request is looked up.', async () => {
    const token = issued(personal());
    await verifier.verify(token, own);
    pass(11_000, false);
    await verifier.verify(token, own);
    expect(asked).toBe(2);
    answers.delete(token);
    await expect(verifier.verify(token, own)).rejects.toMatchObject(refusal);
  });

  test('An API token gets neither acceptance nor rejection while the list is stale and the authorization server is down.', async () => {
    const token = issued(personal());
    await verifier.verify(token, own);
    down = true;
    await verifier.verify(token, own);
    pass(11_000, false);
    await expect(verifier.verify(token, own)).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});
