import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import type { NewTrustedIssuer } from '../src/domain/trusted-issuers.ts';
import { person, Signatory } from './assertions.ts';
import { issuersOf, type Partnership, refused, startPartnership } from './partnership.ts';
import { claimsOf, type RunningAuth, until } from './running-auth.ts';

let partnership: Partnership;
let auth: RunningAuth;
let other: RunningAuth;
let directory: Partnership['directory'];
let partner: Signatory;
let alice: string;
let trust: Partnership['trust'];
let present: Partnership['present'];
let third: Partnership['third'];

beforeAll(async () => {
  partnership = await startPartnership();
  ({ auth, other, directory, partner, alice, trust, present, third } = partnership);
}, 30_000);

afterAll(() => partnership?.stop());

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  aud: auth.issuer('demo'),
  sub: 'alice@partner.example',
  ...changes,
});

const userinfo = async (token: unknown): Promise<number> =>
  (await other.get('/t/demo/userinfo', { authorization: `Bearer ${String(token)}` })).status;

describe('whom an assertion is about', () => {
  async function mapped(subjectMapping: NewTrustedIssuer['subjectMapping'], subjectSource?: string) {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    await trust(signatory, { subjectMapping, subjectSource });
    return signatory;
  }

  test('id: the user id, and nothing like it', async () => {
    const signatory = await mapped('id');
    const { body } = await present(await signatory.assertion(claims({ sub: alice })));
    expect(claimsOf(body.access_token).sub).toBe(alice);
    for (const sub of ['alice@partner.example', alice.slice(1), randomUUID()]) {
      expect(await present(await signatory.assertion(claims({ sub })))).toMatchObject(refused);
    }
  });

  test('externalId: as the one connector calls them', async () => {
    const signatory = await mapped('externalId', 'connector-1');
    directory.found.set('externalId eq "emp-7"', [alice]);
    directory.searches.length = 0;
    const { body } = await present(await signatory.assertion(claims({ sub: 'emp-7' })));
    expect(claimsOf(body.access_token).sub).toBe(alice);
    expect(directory.searches).toEqual([
      { tenant: 'demo', filter: 'externalId eq "emp-7"', source: 'connector-1' },
    ]);
    expect(
      await present(await signatory.assertion(claims({ sub: '7" or externalId pr or "' }))),
    ).toMatchObject(refused);
    expect(directory.searches.at(-1)?.filter).toBe(String.raw`externalId eq "7\" or externalId pr or \""`);
  });

  test('email: verified, and of one person alone', async () => {
    const signatory = await mapped('email');
    const bob = await person(auth, 'bob');
    directory.found.set('emails.value eq "bob@example.com"', [bob]);
    directory.found.set('emails.value eq "shared@example.com"', [bob, alice]);
    const by = (more: JWTPayload) => signatory.assertion(claims({ sub: 'x', ...more }));
    const { body } = await present(await by({ email: 'bob@example.com', email_verified: true }));
    expect(claimsOf(body.access_token).sub).toBe(bob);
    for (const more of [
      { email: 'bob@example.com' },
      { email: 'bob@example.com', email_verified: false },
      { email: 'bob@example.com', email_verified: 'true' },
      { email: ['bob@example.com'], email_verified: true },
      { email: 'shared@example.com', email_verified: true },
      { email_verified: true },
    ]) {
      expect(await present(await by(more))).toMatchObject(refused);
    }
  });

  test('while the directory is away, whoever is not known here gets 503, and keeps the assertion', async () => {
    const signatory = await mapped('externalId', 'connector-1');
    directory.found.set('externalId eq "emp-8"', [alice]);
    const assertion = await signatory.assertion(claims({ sub: 'emp-8' }));
    directory.available = false;
    try {
      expect((await present(assertion)).status).toBe(503);
      expect((await present(await partner.assertion(claims()))).status).toBe(200);
    } finally {
      directory.available = true;
    }
    expect((await present(assertion)).status).toBe(200);
  });
});

describe('keys at an address', () => {
  let server: Server;
  let uri: string;
  let answer: { status: number; body: string; headers?: Record<string, string> };
  let asked = 0;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      response
        .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        .end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function published(path: string) {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    answer = { status: 200, body: JSON.stringify(signatory.jwks) };
    await trust(signatory, { jwksUri: uri + path });
    return signatory;
  }

  test('are fetched once for many, and kept', async () => {
    const signatory = await published('/many');
    asked = 0;
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => present(await signatory.assertion(claims()))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(asked).toBe(1);
    answer = { status: 500, body: '' };
    expect((await present(await signatory.assertion(claims()))).status).toBe(200);
  });

  test('made-up key ids do not make this server knock again and again', async () => {
    const signatory = await published('/knock');
    expect((await present(await signatory.assertion(claims()))).status).toBe(200);
    asked = 0;
    for (let i = 0; i < 10; i += 1) {
      await present(await signatory.assertion(claims(), { kid: randomUUID() }));
    }
    expect(asked).toBeLessThanOrEqual(1);
  });

  test.each([
    ['an error', { status: 500, body: '' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no key set', { status: 200, body: '{"keys":7}' }],
    ['too much', { status: 200, body: 'x'.repeat(400_000) }],
  ])('%s there: 503, not 500', async (name, instead) => {
    const signatory = await published(`/${encodeURIComponent(name)}`);
    answer = instead;
    expect((await present(await signatory.assertion(claims()))).status).toBe(503);
  });

  test('an address in a private network is not fetched in production', async () => {
    const closed = await third({ OUTGOING_ALLOW_PRIVATE: 'false' });
    try {
      const signatory = await published('/private');
      asked = 0;
      expect((await present(await signatory.assertion(claims()), {}, { at: closed })).status).toBe(503);
      expect(asked).toBe(0);
    } finally {
      await closed.stop();
    }
  });
});

describe('what was issued on an issuer’s word ends with', () => {
  test('the trust in it, at once and for good', async () => {
    const signatory = await Signatory.create('https://former.example');
    const { id } = await trust(signatory);
    const { body } = await present(await signatory.assertion(claims()));
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await issuersOf(auth).remove('rival', id)).toBe(false);
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await issuersOf(auth).remove('demo', id)).toBe(true);
    await until(async () => (await userinfo(body.access_token)) === 401);
    expect(await present(await signatory.assertion(claims()))).toMatchObject(refused);
    expect(await issuersOf(auth).remove('demo', id)).toBe(false);
  });

  test('the person', async () => {
    const carol = await person(auth, 'carol@partner.example');
    const { body } = await present(await partner.assertion(claims({ sub: 'carol@partner.example' })));
    expect(await userinfo(body.access_token)).toBe(200);
    await auth.deps.subjects.signOutEverywhere('demo', carol);
    await until(async () => (await userinfo(body.access_token)) === 401);
  });
});

describe('trusting an issuer', () => {
  test.each([
    ['this server itself', { issuer: 'http://id.test/t/demo' }],
    ['a service account', { issuer: randomUUID() }],
    ['nobody', { issuer: '' }],
    ['a known one again', { issuer: 'https://partner.example' }],
    ['without a client', { clientIds: [] }],
    ['with an unknown client', { clientIds: ['nobody'] }],
    ['without scopes', { scopes: [] }],
    ['with an unknown scope', { scopes: ['everything'] }],
    ['with offline_access', { scopes: ['openid', 'offline_access'] }],
    ['without a name', { name: ' ' }],
    ['by external id of no connector', { subjectMapping: 'externalId' as const }],
    ['by user name of a connector', { subjectSource: 'connector-1' }],
    ['with no keys', { jwks: { keys: [] } }],
    ['with a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['with keys and an address', { jwksUri: 'https://x.example/jwks', jwks: { keys: [] } }],
    ['with an address that is no web address', { jwksUri: 'file:///etc/passwd' }],
  ])('%s is refused', async (_, change) => {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    await expect(trust(signatory, change)).rejects.toMatchObject({ name: 'OAuthError' });
  });

  test('with a private key is refused', async () => {
    const signatory = await Signatory.create('https://leaky.example');
    await expect(
      trust(signatory, { jwks: { keys: [{ ...signatory.jwk, d: 'AAAA' }] } }),
    ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });

  test('is per tenant', async () => {
    expect((await issuersOf(auth).list('demo')).map(({ issuer }) => issuer)).toContain(
      'https://partner.example',
    );
    expect(await issuersOf(auth).list('rival')).toEqual([]);
  });
});
