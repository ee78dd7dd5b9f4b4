import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { JWTPayload } from 'jose';
import { SubjectTaken } from '../../../src/oauth/trust/domain/issuer-subject-store.ts';
import { IssuerSubjects } from '../../../src/oauth/trust/domain/issuer-subjects.ts';
import { forgetSubject } from '../../../src/tenancy/users/data/subjects.ts';
import { person, Signatory } from '../../support/assertions.ts';
import { bind, issuersOf, type Partnership, refused, startPartnership } from '../../support/partnership.ts';
import { claimsOf, type RunningAuth } from '../../support/running-auth.ts';

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
});

afterAll(() => partnership?.stop());

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  aud: auth.issuer('demo'),
  sub: 'alice@partner.example',
  ...changes,
});

const userinfo = async (token: unknown): Promise<number> =>
  (await other.get('/t/demo/userinfo', { authorization: `Bearer ${String(token)}` })).status;

describe('the subject of an assertion', () => {
  const subjects = () => new IssuerSubjects({ ...auth.deps, clock: auth.deps.kit.clock });

  test('An assertion is about the user bound to its subject, byte for byte; no name, address or id finds a user.', async () => {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    const { id } = await trust(signatory);
    const bob = await person(auth, 'bob');
    await bind(auth, id, 'employee-7', bob);
    const { body } = await present(await signatory.assertion(claims({ sub: 'employee-7' })));
    expect(claimsOf(body.access_token).sub).toBe(bob);
    for (const sub of ['bob', bob, 'Employee-7', 'employee-7 ', 'bob@example.com'])
      expect(await present(await signatory.assertion(claims({ sub })))).toMatchObject(refused);
    const byAddress = { sub: 'x', email: 'bob@example.com', email_verified: true, preferred_username: 'bob' };
    expect(await present(await signatory.assertion(claims(byAddress)))).toMatchObject(refused);
    expect(directory.searches).toEqual([]);
    // The binding applies to one issuer only.
    expect(await present(await partner.assertion(claims({ sub: 'employee-7' })))).toMatchObject(refused);
  });

  test('Of 20 parallel bindings of one issuer subject in two processes, exactly one succeeds.', async () => {
    const { id } = await trust(await Signatory.create(`https://${randomUUID()}.example`));
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, index) => person(auth, `racer-${index}`)),
    );
    const outcomes = await Promise.allSettled(
      people.map((who, index) => bind(index % 2 ? auth : other, id, 'the one', who)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SubjectTaken);
  });

  test('Unbinding a subject ends everything issued on its assertions; another tenant cannot unbind it.', async () => {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    const { id } = await trust(signatory);
    const binding = await bind(auth, id, 'dora', await person(auth, 'dora'));
    const assertion = () => signatory.assertion(claims({ sub: 'dora' }));
    const { body } = await present(await assertion());
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await subjects().unbind('rival', binding?.id ?? '')).toBe(false);
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await subjects().unbind('demo', binding?.id ?? '')).toBe(true);
    await eventually(async () => (await userinfo(body.access_token)) === 401);
    expect(await present(await assertion())).toMatchObject(refused);
    expect(await subjects().unbind('demo', binding?.id ?? '')).toBe(false);
  });

  test('Unbinding a subject while tokens are issued on its assertions leaves no working token.', async () => {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    const { id } = await trust(signatory);
    const binding = await bind(auth, id, 'eve', await person(auth, 'eve'));
    const assertions = await Promise.all(
      Array.from({ length: 10 }, () => signatory.assertion(claims({ sub: 'eve' }))),
    );
    const [, ...answers] = await Promise.all([
      subjects().unbind('demo', binding?.id ?? ''),
      ...assertions.map((assertion, index) => present(assertion, {}, { at: index % 2 ? auth : other })),
    ]);
    for (const { body } of answers)
      if (body.access_token) await eventually(async () => (await userinfo(body.access_token)) === 401);
  });

  test('A bound subject is deleted with its user, and with its issuer.', async () => {
    const { sql } = auth.database;
    const { id } = await trust(await Signatory.create(`https://${randomUUID()}.example`));
    const gone = await person(auth, 'gone-for-good');
    await bind(auth, id, 'gone', gone);
    const left = async () =>
      (
        await sql.query('SELECT 1 FROM auth.issuer_subjects WHERE tenant = $1 AND issuer_id = $2', [
          'demo',
          id,
        ])
      ).rowCount;
    expect(await left()).toBe(2);
    await auth.database.transaction((tx) => forgetSubject(tx, 'demo', gone));
    expect(await left()).toBe(1);
    expect(await issuersOf(auth).remove('demo', id)).toBe(true);
    expect(await left()).toBe(0);
  });

  test('An issuer subject cannot be bound to a user of another tenant.', async () => {
    const { id } = await trust(await Signatory.create(`https://${randomUUID()}.example`));
    const theirs = await person(auth, 'theirs', { tenant: 'rival' });
    await expect(bind(auth, id, 'theirs', theirs)).rejects.toThrow();
  });

  test.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(256)],
    ['other letters', 'zo\u00eb'],
    ['control characters', 'a\u0000b'],
  ])('An issuer subject that consists of %s is rejected.', async (_, subject) => {
    const { id } = await trust(await Signatory.create(`https://${randomUUID()}.example`));
    await expect(bind(auth, id, subject, alice)).rejects.toMatchObject({ name: 'OAuthError' });
  });
});

describe('remote keys', () => {
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

  test('Keys at an address are fetched once for many assertions, and are kept.', async () => {
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

  test('Unknown key ids do not make the server fetch the keys repeatedly.', async () => {
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
  ])(
    'An assertion is answered with 503, not 500, when the key address returns %s.',
    async (name, instead) => {
      const signatory = await published(`/${encodeURIComponent(name)}`);
      answer = instead;
      expect((await present(await signatory.assertion(claims()))).status).toBe(503);
    },
  );

  test('A key address in a private network is not fetched in production.', async () => {
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

describe('the end of tokens issued on an assertion', () => {
  test('Tokens issued on an assertion end immediately and permanently when the trust in the issuer ends.', async () => {
    const signatory = await Signatory.create('https://former.example');
    const { id } = await trust(signatory);
    const { body } = await present(await signatory.assertion(claims()));
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await issuersOf(auth).remove('rival', id)).toBe(false);
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await issuersOf(auth).remove('demo', id)).toBe(true);
    await eventually(async () => (await userinfo(body.access_token)) === 401);
    expect(await present(await signatory.assertion(claims()))).toMatchObject(refused);
    expect(await issuersOf(auth).remove('demo', id)).toBe(false);
  });

  test('Tokens issued on an assertion end when their user is signed out everywhere.', async () => {
    const carol = await partnership.known('carol@partner.example');
    const { body } = await present(await partner.assertion(claims({ sub: 'carol@partner.example' })));
    expect(await userinfo(body.access_token)).toBe(200);
    await auth.deps.subjects.signOutEverywhere('demo', carol);
    await eventually(async () => (await userinfo(body.access_token)) === 401);
  });
});

describe('trust in an issuer', () => {
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
    ['with no keys', { jwks: { keys: [] } }],
    ['with a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['with keys and an address', { jwksUri: 'https://x.example/jwks', jwks: { keys: [] } }],
    ['with an address that is no web address', { jwksUri: 'file:///etc/passwd' }],
  ])('Trusting an issuer is rejected in this case: %s.', async (_, change) => {
    const signatory = await Signatory.create(`https://${randomUUID()}.example`);
    await expect(trust(signatory, change)).rejects.toMatchObject({ name: 'OAuthError' });
  });

  test('Trusting an issuer with a private key is rejected.', async () => {
    const signatory = await Signatory.create('https://leaky.example');
    await expect(
      trust(signatory, { jwks: { keys: [{ ...signatory.jwk, d: 'AAAA' }] } }),
    ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });

  test('Trust in an issuer applies to one tenant.', async () => {
    expect((await issuersOf(auth).list('demo')).map(({ issuer }) => issuer)).toContain(
      'https://partner.example',
    );
    expect(await issuersOf(auth).list('rival')).toEqual([]);
  });
});
