import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HttpPeer, ServiceUnavailable } from '@ostiary/service';
import {
  AccessError,
  LocalTokenVerifier,
  RemoteKeys,
  RevocationList,
  serviceAudience,
  type TokenVerifier,
} from '../src/index.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
let peer: HttpPeer;
let list: RevocationList;
let verifier: TokenVerifier;
let introspected: string[];
let introspection: boolean | 'down';
let skewMs = 0;

const demo = `${publicOrigin}/t/demo`;
const own = { audience: (tenant: string) => `${publicOrigin}/t/${tenant}`, tenant: 'demo' };

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start(['demo', 'rival', 'platform']) });
});

afterAll(async () => {
  await peer.close();
  await issuer.stop();
});

beforeEach(() => {
  list = new RevocationList();
  list.touch(performance.now());
  introspected = [];
  introspection = true;
  skewMs = 0;
  verifier = new LocalTokenVerifier({
    publicOrigin,
    keys: new RemoteKeys(peer, () => Date.now() + skewMs),
    revocations: list,
    introspect: async (tenant) => {
      introspected.push(tenant);
      if (introspection === 'down') throw new ServiceUnavailable('auth');
      return introspection;
    },
    maxStalenessMs: 10_000,
    clock: () => Date.now() + skewMs,
  });
});

async function refused(token: string, expectation = own): Promise<void> {
  const outcome = verifier.verify(token, expectation);
  await expect(outcome).rejects.toBeInstanceOf(AccessError);
  await expect(outcome).rejects.toMatchObject({ statusCode: 401, error: 'invalid_token' });
}

describe('a valid token', () => {
  test('A valid token becomes a principal.', async () => {
    const token = await issuer.sign('demo', {
      scope: 'openid users:read',
      sid: 's1',
      grant_id: 'g1',
      auth_time: 1,
    });
    const principal = await verifier.verify(token, own);
    expect(principal).toMatchObject({
      tenant: 'demo',
      kind: 'user',
      subject: 'user-1',
      sessionId: 's1',
      grantId: 'g1',
    });
    expect([...principal.scopes]).toEqual(['openid', 'users:read']);
  });

  test('A valid token whose subject is the client itself becomes a client.', async () => {
    const token = await issuer.sign('demo', { sub: 'web', client_id: 'web' });
    expect((await verifier.verify(token, own)).kind).toBe('client');
  });

  test('A valid token is verified once: the second time no key is needed, but the lifetime still counts.', async () => {
    const token = await issuer.sign('demo');
    await verifier.verify(token, own);
    await verifier.verify(token, own);
    skewMs = 700_000;
    await refused(token);
  });
});

describe('tokens rejected as invalid_token', () => {
  test.each([
    ['another tenant', async () => issuer.sign('rival')],
    ['another tenant that claims to be this one', async () => issuer.sign('rival', { iss: demo, aud: demo })],
    ['an issuer of somebody else', async () => issuer.sign('demo', { iss: 'http://evil.test/t/demo' })],
    [
      'an issuer with a path trick',
      async () => issuer.sign('demo', { iss: `${publicOrigin}/t/demo/../rival` }),
    ],
    ['another audience', async () => issuer.sign('demo', { aud: 'https://api.example.com' })],
    ['an ID token (typ JWT)', async () => issuer.sign('demo', {}, { typ: 'JWT' })],
    ['no typ', async () => issuer.sign('demo', {}, { typ: undefined })],
    ['expired', async () => issuer.sign('demo', { exp: Math.floor(Date.now() / 1000) - 60 })],
    ['not valid yet', async () => issuer.sign('demo', { nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['without jti', async () => issuer.sign('demo', { jti: undefined as unknown as string })],
    ['a service token on a public surface', async () => issuer.sign('platform', { aud: demo })],
    ['truncated', async () => (await issuer.sign('demo')).slice(0, -4)],
    ['not a token', async () => 'abc'],
    ['three empty parts', async () => '..'],
    [
      'alg none',
      async () => {
        const [, payload] = (await issuer.sign('demo')).split('.');
        return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
      },
    ],
    [
      'payload changed after signing',
      async () => {
        const [header, payload, signature] = (await issuer.sign('demo')).split('.');
        const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
        const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
        return `${header}.${forged}.${signature}`;
      },
    ],
  ])('A token is rejected as invalid_token: %s.', async (_name, make) => {
    await refused(await make());
  });

  test('A tenant token on a service surface is rejected as invalid_token.', async () => {
    const token = await issuer.sign('demo', { aud: serviceAudience('directory') });
    const outcome = verifier.verify(token, { audience: serviceAudience('directory'), issuers: 'platform' });
    await expect(outcome).rejects.toMatchObject({ error: 'invalid_token' });
  });
});

describe('revocation', () => {
  const expiresAt = Math.floor(Date.now() / 1000) + 600;
  const entry = { seq: '1', tenant: 'demo', expiresAt };

  test('A revocation of a subject ends only the tokens of older epochs, independent of clocks.', async () => {
    const before = await issuer.sign('demo', { sub_epoch: 0, iat: Math.floor(Date.now() / 1000) + 60 });
    const after = await issuer.sign('demo', { sub_epoch: 1 });
    await verifier.verify(before, own);
    list.apply([{ ...entry, kind: 'subject', key: 'user-1', epoch: 1 }]);
    await refused(before);
    await verifier.verify(after, own);
  });

  test.each([
    ['session', 's1'],
    ['grant', 'g1'],
    ['client', 'web'],
    ['jti', 'j1'],
    ['tenant', 'demo'],
  ] as const)('A revocation of a %s ends its tokens.', async (kind, key) => {
    const token = await issuer.sign('demo', { sid: 's1', grant_id: 'g1', jti: 'j1' });
    await verifier.verify(token, own);
    list.apply([{ ...entry, kind, key }]);
    await refused(token);
  });

  test('A revocation in another tenant, of the same ids, affects no token here.', async () => {
    const token = await issuer.sign('demo', { sid: 's1' });
    list.apply([
      { ...entry, tenant: 'rival', kind: 'session', key: 's1' },
      { ...entry, tenant: 'rival', kind: 'subject', key: 'user-1', epoch: 9 },
    ]);
    await verifier.verify(token, own);
  });

  test('An older revocation that is applied late or out of order never undoes a newer one.', async () => {
    list.apply([{ ...entry, kind: 'subject', key: 'user-1', epoch: 2 }]);
    list.apply([{ ...entry, kind: 'subject', key: 'user-1', epoch: 1 }]);
    await refused(await issuer.sign('demo', { sub_epoch: 1 }));
  });

  test('A revocation is dropped long after the last token it could match has expired, and not before.', () => {
    list.apply([{ ...entry, kind: 'session', key: 's1' }]);
    list.touch(performance.now(), expiresAt * 1000 + 60_000);
    expect(list.size).toBe(1);
    list.touch(performance.now(), expiresAt * 1000 + 600_000);
    expect(list.size).toBe(0);
  });

  test('A revocation is announced once.', () => {
    const heard: string[] = [];
    list.onRevoked((revocation) => heard.push(revocation.key));
    list.apply([{ ...entry, kind: 'session', key: 's1' }]);
    list.apply([{ ...entry, kind: 'session', key: 's1' }]);
    expect(heard).toEqual(['s1']);
  });

  test('A known revocation that lasts longer is announced again.', () => {
    const times: number[] = [];
    list.onRevoked((revocation) => times.push(revocation.expiresAt));
    for (const seconds of [0, 600, 300])
      list.apply([{ ...entry, kind: 'subject', key: 'user-1', epoch: 3, expiresAt: expiresAt + seconds }]);
    expect(times).toEqual([expiresAt, expiresAt + 600]);
  });
});

describe('a stale revocation list', () => {
  beforeEach(() => {
    list = new RevocationList();
    list.touch(performance.now() - 11_000);
    verifier = new LocalTokenVerifier({
      publicOrigin,
      keys: new RemoteKeys(peer, Date.now),
      revocations: list,
      introspect: async (tenant) => {
        introspected.push(tenant);
        if (introspection === 'down') throw new ServiceUnavailable('auth');
        return introspection;
      },
      maxStalenessMs: 10_000,
      clock: Date.now,
    });
  });

  test('A stale revocation list makes the verifier ask the authorization server and use its answer.', async () => {
    await verifier.verify(await issuer.sign('demo'), own);
    expect(introspected).toEqual(['demo']);
    introspection = false;
    await refused(await issuer.sign('demo'));
  });

  test('A stale revocation list without an available authorization server gives 503, never "not revoked".', async () => {
    introspection = 'down';
    await expect(verifier.verify(await issuer.sign('demo'), own)).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});

describe('keys', () => {
  test('A rotated key is found, and an unknown key id is looked up once in five seconds.', async () => {
    await verifier.verify(await issuer.sign('demo'), own);
    skewMs = 6_000;
    await issuer.rotate('demo');
    await verifier.verify(await issuer.sign('demo'), own);
    issuer.calls.length = 0;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await refused(await issuer.sign('demo', {}, { kid: `made-up-${attempt}` }));
    }
    expect(issuer.calls.filter((call) => call.includes('jwks')).length).toBeLessThanOrEqual(1);
  });

  test('Unknown tenants are cached as unknown.', async () => {
    issuer.calls.length = 0;
    const token = await issuer.sign('demo', {
      iss: `${publicOrigin}/t/nobody`,
      aud: `${publicOrigin}/t/nobody`,
    });
    for (let attempt = 0; attempt < 5; attempt += 1)
      await refused(token, { audience: own.audience, tenant: 'nobody' });
    expect(issuer.calls).toEqual(['GET /t/nobody/jwks']);
  });

  test('While the authorization server is unavailable, known keys still work and unknown keys give 503, not 401.', async () => {
    const token = await issuer.sign('demo');
    await verifier.verify(await issuer.sign('demo'), own);
    issuer.down = true;
    skewMs = 1_000;
    await verifier.verify(token, own);
    const rival = { audience: own.audience, tenant: 'rival' };
    await expect(verifier.verify(await issuer.sign('rival'), rival)).rejects.toBeInstanceOf(
      ServiceUnavailable,
    );
    issuer.down = false;
  });
});

describe('an exchanged token', () => {
  const ancestor = {
    jti: 'a',
    sub: 'user-1',
    client_id: 'web',
    client_epoch: 0,
    sub_epoch: 0,
    grant_id: 'g',
  };

  test('An exchanged token names the actor and keeps the kind of its subject.', async () => {
    const delegated = { act: { sub: 'api', client_id: 'api' }, derived_from: [ancestor] };
    const token = await issuer.sign('demo', { client_id: 'api', ...delegated });
    expect(await verifier.verify(token, own)).toMatchObject({
      kind: 'user',
      subject: 'user-1',
      actors: [{ subject: 'api', clientId: 'api' }],
      ancestors: [{ jti: 'a', grantId: 'g' }],
    });
    const ofClient = await issuer.sign('demo', {
      sub: 'web',
      client_id: 'api',
      sub_epoch: undefined,
      ...delegated,
    });
    expect(await verifier.verify(ofClient, own)).toMatchObject({
      kind: 'client',
      subject: 'web',
      clientId: 'api',
    });
  });

  test('An exchanged token without a readable lineage or actor is rejected.', async () => {
    await refused(await issuer.sign('demo', { derived_from: 'everything' }));
    await refused(await issuer.sign('demo', { act: 'me' }));
  });

  test('An exchanged token ends with the token for which it was exchanged.', async () => {
    const token = await issuer.sign('demo', { client_id: 'api', derived_from: [ancestor] });
    await verifier.verify(token, own);
    list.apply([{ seq: '1', tenant: 'demo', kind: 'grant', key: 'g', expiresAt: 9_999_999_999 }]);
    await refused(token);
  });
});
