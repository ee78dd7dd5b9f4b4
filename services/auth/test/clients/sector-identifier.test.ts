import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mergeMetadata } from '../../src/clients/domain/client-metadata.ts';
import type { ClientMetadata } from '../../src/clients/domain/client-registry.ts';
import { usualScopes } from '../../src/clients/domain/dynamic-registration.ts';
import { checkSector } from '../../src/clients/domain/subject-identifier.ts';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  issueCode,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
/** A second process that allows no private addresses. */
let closed: RunningAuth;
let server: Server;
let origin: string;
let asked: string[] = [];
let answer: (response: ServerResponse) => void;

const first = 'https://one.example/cb';
const second = 'https://two.example/cb';
const json =
  (value: unknown) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { env: { OUTGOING_ALLOW_PRIVATE: 'true' } });
  closed = await startAuth(backend, { publicOrigin: auth.origin });
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await closed?.stop();
  await auth?.stop();
  await backend?.drop();
  await new Promise((resolve) => server.close(resolve));
});

afterEach(() => {
  asked = [];
});

const pairwise = (change: Partial<ClientMetadata> = {}, at = auth, tenant = 'demo') =>
  register(
    at,
    {
      token_endpoint_auth_method: 'none',
      subject_type: 'pairwise',
      redirect_uris: [first, second],
      sector_identifier_uri: `${origin}/sector.json`,
      scope: 'openid',
      ...change,
    },
    tenant,
  );

/** Returns the subject identifier of a user for a client. */
async function subjectFor(
  clientId: string,
  person: { tenant: string; subjectId: string; sessionId: string },
): Promise<unknown> {
  const issued = await issueCode(auth, clientId, { ...person, scopes: ['openid'], redirectUri: first });
  const { body } = await auth.post(`/t/${person.tenant}/token`, issued.form);
  return claimsOf(body.id_token).sub;
}

const refused = { code: 'invalid_client_metadata' };

describe('the sector of pairwise identifiers (OpenID Connect Core §8.1)', () => {
  test('A client with several hosts is registered when its sector document lists all redirect URIs.', async () => {
    answer = json([first, second, 'https://three.example/cb']);
    const { client } = await pairwise();
    expect(asked).toEqual(['/sector.json']);
    expect(client.metadata).toMatchObject({
      subject_type: 'pairwise',
      sector_identifier_uri: `${origin}/sector.json`,
    });
  });

  test('Clients whose sector documents have one host share identifiers, regardless of their redirect URIs.', async () => {
    answer = json([first, second]);
    const person = await signedIn(auth);
    const one = await pairwise();
    const other = await pairwise({
      redirect_uris: [first],
      sector_identifier_uri: `${origin}/another-document.json`,
    });
    const apart = await pairwise({ redirect_uris: [first], sector_identifier_uri: undefined } as never);
    const [a, b, c] = await Promise.all(
      [one, other, apart].map(({ client }) => subjectFor(client.clientId, person)),
    );
    expect(a).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });

  test('The same sector document in another tenant is another sector.', async () => {
    answer = json([first, second]);
    const person = await signedIn(auth);
    const same = await signedIn(auth, { tenant: 'rival' });
    const here = await pairwise();
    const there = await pairwise({}, auth, 'rival');
    const [a, b] = [
      auth.deps.subjectIdentifier(here.client, person.subjectId),
      auth.deps.subjectIdentifier(there.client, person.subjectId),
    ];
    expect(b).not.toBe(a);
    expect(await subjectFor(there.client.clientId, same)).not.toBe(
      await subjectFor(here.client.clientId, person),
    );
  });

  test('A client is rejected when the sector document does not list all of its redirect URIs.', async () => {
    answer = json([first]);
    await expect(pairwise()).rejects.toMatchObject(refused);
    // Redirect URIs are compared byte for byte.
    answer = json([first.toUpperCase(), `${second}/`, 'https://two.example/*']);
    await expect(pairwise({ redirect_uris: [second] })).rejects.toMatchObject(refused);
  });

  test('A client with public identifiers must match its sector document too.', async () => {
    answer = json([first]);
    await expect(pairwise({ subject_type: 'public' })).rejects.toMatchObject(refused);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['no JSON', (response) => response.end('<html>')],
    ['an object', json({ redirect_uris: [first, second] })],
    ['a string', json(`${first} ${second}`)],
    ['a list of other things', json([first, second, 7])],
    ['null', json(null)],
    ['a list that is too large', json([first, second, 'x'.repeat(300_000)])],
    ['an error', (response) => response.writeHead(404).end(JSON.stringify([first, second]))],
    [
      'a redirect to the right one',
      (response) => response.writeHead(302, { location: `${origin}/sector.json` }).end(),
    ],
    ['a broken answer', (response) => response.destroy()],
  ])(
    'A sector document that is %s is rejected with a message that discloses nothing about it.',
    async (_what, broken) => {
      answer = broken;
      await expect(pairwise()).rejects.toMatchObject({
        ...refused,
        description: 'sector_identifier_uri does not return a JSON array of redirect URIs.',
      });
      expect(asked).toHaveLength(1);
    },
  );

  test.each([
    'javascript:alert(1)',
    'https://a:b@one.example/s',
    'https://one.example/s#f',
    'one.example/s',
    '',
  ])('The sector address %s is rejected without a request.', async (uri) => {
    await expect(pairwise({ sector_identifier_uri: uri })).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  test('A sector address in a private network is rejected without a request.', async () => {
    answer = json([first, second]);
    for (const uri of [
      `${origin}/sector.json`,
      'http://169.254.169.254/latest',
      'http://[::1]:1/',
      'http://localhost/',
    ]) {
      await expect(pairwise({ sector_identifier_uri: uri }, closed)).rejects.toMatchObject({
        ...refused,
        description: 'sector_identifier_uri must be a public address.',
      });
    }
    expect(asked).toEqual([]);
  });

  test('A change that occurred after the sector document was read is rejected.', () => {
    const valid = { redirectUris: [first], metadata: { sector_identifier_uri: `${origin}/new.json` } };
    const sector = (uri: string) => ({ uri, redirectUris: new Set([first]) });
    expect(() => checkSector(valid, sector(`${origin}/old.json`))).toThrow(/concurrently/);
    expect(() => checkSector(valid, undefined)).toThrow(/concurrently/);
    expect(() => checkSector(valid, sector(`${origin}/new.json`))).not.toThrow();
  });
});

describe('rereading of the sector document', () => {
  test('An update by an administrator reads the sector document again.', async () => {
    answer = json([first, second]);
    const { client } = await pairwise();
    const rename = () =>
      auth.deps.clientRegistry.update('demo', client.clientId, (current) =>
        mergeMetadata(current, { client_name: 'Renamed' }),
      );
    expect((await rename())?.client.name).toBe('Renamed');
    answer = json([first]);
    await expect(rename()).rejects.toMatchObject(refused);
    await expect(
      auth.deps.clientRegistry.update('demo', client.clientId, (current) =>
        mergeMetadata(current, { redirect_uris: ['https://three.example/cb'] }),
      ),
    ).rejects.toMatchObject(refused);
    expect((await auth.deps.clients.find('demo', client.clientId))?.redirectUris).toEqual([first, second]);
  });

  test('A registration or update by the client itself reads the sector document again (RFC 7591, RFC 7592).', async () => {
    const { token } = await auth.deps.registrations.createToken('demo', {
      name: 'tests',
      scopes: usualScopes,
      uses: 2,
      lifetimeSeconds: 60,
    });
    const send = async (method: string, path: string, bearer: unknown, body: unknown): Promise<Answer> => {
      const response = await fetch(new URL(path, auth.origin), {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, unknown>,
      };
    };
    const metadata = {
      redirect_uris: [first, second],
      subject_type: 'pairwise',
      sector_identifier_uri: `${origin}/sector.json`,
      scope: 'openid',
    };
    answer = json([first]);
    expect(await send('POST', '/t/demo/register', token, metadata)).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata' },
    });
    answer = json([first, second]);
    const { status, body } = await send('POST', '/t/demo/register', token, metadata);
    expect([status, body.sector_identifier_uri]).toEqual([201, `${origin}/sector.json`]);
    const update = { client_id: body.client_id, ...metadata };
    const put = (change: object) =>
      send('PUT', String(body.registration_client_uri), body.registration_access_token, {
        ...update,
        ...change,
      });
    expect((await put({})).status).toBe(200);
    answer = json([second]);
    expect(await put({})).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect((await put({ redirect_uris: [second] })).status).toBe(200);
  });
});
