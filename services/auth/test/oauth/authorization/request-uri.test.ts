import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSafeFetch } from '@ostiary/service';
import { RequestDocuments } from '../../../src/oauth/data/request-documents.ts';
import { hiddenFields } from '../../support/sign-in/browser.ts';
import {
  type App,
  answerOf,
  app,
  claimsFor,
  Documents,
  newKey,
  open,
  type RequestKey,
  service,
  setUpRequesting,
  signed,
  signedIn,
  stopped,
  unsigned,
} from '../../support/sign-in/requesting.ts';
import { callback, rival, tenant } from '../../support/sign-in/service.ts';

/**
 * Request objects by reference (OpenID Connect Core §6.2, RFC 9101 §5.2), which cause requests to servers of clients.
 */

setUpRequesting();

let documents: Documents;
let key: RequestKey;

beforeAll(async () => {
  documents = new Documents();
  await documents.start();
  key = await newKey();
});
afterAll(() => documents?.stop());

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
let serial = 0;

/** An app that serves its request object at an address of its own. */
async function asking(o: { type?: string; metadata?: object } = {}): Promise<{
  client: App;
  path: string;
  uri: string;
  object: string;
}> {
  const path = `/request-${++serial}`;
  const uri = documents.origin + path;
  const client = await app([key], { request_uris: [uri], ...o.metadata });
  const object = await signed(claimsFor(client), key);
  documents.serve(path, object, o.type);
  return { client, path, uri, object };
}

describe('an object at a registered address', () => {
  test.each(['application/oauth-authz-req+jwt', 'application/jwt; charset=utf-8', 'application/jose'])(
    'A request object served as %s gives a code.',
    async (type) => {
      const { client, path, uri } = await asking({ type });
      const answer = answerOf(await open(client, { request_uri: uri }));
      expect(answer).toMatchObject({ to: callback, state: 'inside', code: expect.any(String) });
      expect(documents.asked(path)).toBe(1);
    },
  );

  test('The object at a registered address is fetched for each request, without cookies, referrer or credentials.', async () => {
    const { client, path, uri } = await asking();
    let headers: Record<string, unknown> = {};
    documents.answer(path, async (request, response) => {
      headers = request.headers;
      const object = await signed(claimsFor(client, { state: `answer ${documents.asked(path)}` }), key);
      response.setHeader('content-type', 'application/jwt').end(object);
    });
    for (const state of ['answer 1', 'answer 2']) {
      expect(answerOf(await open(client, { request_uri: uri }))).toMatchObject({ state });
    }
    expect(Object.keys(headers)).toEqual(expect.not.arrayContaining(['cookie', 'referer', 'authorization']));
  });

  test('A request object is fetched once for all pages a user then sees, their reloads, and the code.', async () => {
    const { client, path, uri } = await asking({ metadata: { require_consent: true } });
    const browser = service.browser();
    const begun = await open(client, { request_uri: uri }, browser);
    for (let times = 0; times < 3; times += 1) await browser.get(begun.location ?? '');
    const page = await browser.get(begun.location ?? '');
    documents.serve(path, 'somewhere else by now');
    const consent = await browser.follow(
      await browser.submit(page, {
        username: 'alice',
        password: 'correct horse battery staple',
        action: 'sign-in',
      }),
    );
    expect(hiddenFields(consent)).not.toEqual({});
    const end = await browser.submit(consent, { action: 'allow' });
    expect(answerOf(end)).toMatchObject({ to: callback, state: 'inside', code: expect.any(String) });
    expect(documents.asked(path)).toBe(1);
  });

  test('For a POST, the object is fetched only by the GET that follows.', async () => {
    const { client, path, uri } = await asking();
    const browser = await signedIn();
    const form = { client_id: client.clientId, request_uri: uri };
    const posted = await browser.post(`/t/${tenant}/authorize`, form);
    expect(documents.asked(path)).toBe(0);
    expect(answerOf(await browser.get(posted.location ?? ''))).toHaveProperty('code');
  });

  test('A fetched object is cached when the address names its digest and the digest matches.', async () => {
    const { client, path, uri, object } = await asking();
    const named = `${uri}#${digestOf(object)}`;
    for (let times = 0; times < 3; times += 1) {
      expect(answerOf(await open(client, { request_uri: named }))).toHaveProperty('code');
    }
    expect(documents.asked(path)).toBe(1);
    // Another digest means that the object has changed.
    const changed = await signed(claimsFor(client, { state: 'changed' }), key);
    documents.serve(path, changed);
    const other = `${uri}#${digestOf(changed)}`;
    expect(answerOf(await open(client, { request_uri: other }))).toMatchObject({ state: 'changed' });
    expect(documents.asked(path)).toBe(2);
  });

  test('An object is not cached under a digest that does not match it, so a client cannot plant one for others.', async () => {
    const { client, path, uri } = await asking();
    const planned = await signed(claimsFor(client, { state: 'planned' }), key);
    const named = `${uri}#${digestOf(planned)}`;
    expect(answerOf(await open(client, { request_uri: named }))).toMatchObject({ state: 'inside' });
    documents.serve(path, planned);
    expect(answerOf(await open(client, { request_uri: named }))).toMatchObject({ state: 'planned' });
    expect(documents.asked(path)).toBe(2);
  });

  test('200 parallel requests never fetch one address concurrently, and each gets a code.', async () => {
    const { client, path, uri, object } = await asking();
    let [underWay, most] = [0, 0];
    documents.answer(path, (_request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.setHeader('content-type', 'application/jwt').end(object);
      }, 500);
    });
    const browser = await signedIn();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => open(client, { request_uri: uri }, browser)),
    );
    expect(new Set(answers.map((answer) => answerOf(answer).code)).size).toBe(200);
    expect(most).toBe(1);
    expect(documents.asked(path)).toBeLessThan(50);
  });

  test('An unsigned object at a registered address is accepted from a client registered for alg none.', async () => {
    const { client, path, uri } = await asking({ metadata: { request_object_signing_alg: 'none' } });
    documents.serve(path, unsigned(claimsFor(client, { iss: undefined, aud: undefined })));
    expect(answerOf(await open(client, { request_uri: uri }))).toHaveProperty('code');
  });
});

describe('keys at a jwks_uri', () => {
  const publish = (path: string, keys: readonly RequestKey[]) =>
    documents.serve(path, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }), 'application/jwk-set+json');

  test('Keys at a jwks_uri verify objects like registered keys; unknown keys are rejected with at most one fetch.', async () => {
    const path = `/jwks-${++serial}`;
    const [mine, next] = [await newKey('ES256', 'one'), await newKey('ES256', 'two')];
    publish(path, [mine]);
    const client = await app([], { jwks_uri: documents.origin + path });
    const ask = async (by: RequestKey) =>
      open(client, { request: await signed(claimsFor(client), by, { kid: by.jwk.kid }) });
    expect(answerOf(await ask(mine))).toHaveProperty('code');
    const asked = documents.asked(path);
    for (let times = 0; times < 10; times += 1) {
      expect(await ask(await newKey('ES256', `made-up-${times}`))).toMatchObject(stopped);
    }
    expect(documents.asked(path) - asked).toBeLessThanOrEqual(1);
    const renewed = await app([], { jwks_uri: `${documents.origin}${path}-renewed` });
    publish(`${path}-renewed`, [next]);
    const request = await signed(claimsFor(renewed), next, { kid: 'two' });
    expect(answerOf(await open(renewed, { request }))).toHaveProperty('code');
  });

  test('Keys at a jwks_uri that cannot be fetched lead to 503 without a redirect.', async () => {
    const client = await app([], { jwks_uri: `${documents.origin}/no-keys-${++serial}` });
    const answer = await open(client, {
      request: await signed(claimsFor(client), key),
      redirect_uri: callback,
    });
    expect([answer.status, answer.location]).toEqual([503, undefined]);
  });
});

describe('no fetch', () => {
  test('An address that differs from the registered one in any character is rejected and not fetched.', async () => {
    const { client, path, uri } = await asking();
    const other = await asking();
    const before = documents.hits.length;
    for (const near of [
      `${uri}/`,
      `${uri}?x=1`,
      `${uri}%2e`,
      uri.replace('127.0.0.1', '127.1'),
      uri.replace('http:', 'HTTP:'),
      uri.replace('127', 'x@127'),
      `${documents.origin}/./${path.slice(1)}`,
      other.uri,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'data:text/plain,x',
      'urn:something',
      '#',
    ]) {
      expect([near, (await open(client, { request_uri: near })).status]).toEqual([near, 400]);
    }
    expect(documents.hits.length).toBe(before);
  });

  test('An address registered with a digest is not fetched when it comes with another digest or none.', async () => {
    const path = `/digest-${++serial}`;
    const client = await app([key], { request_uris: [`${documents.origin}${path}#${digestOf('x')}`] });
    documents.serve(path, await signed(claimsFor(client), key));
    for (const end of ['', '#', `#${digestOf('y')}`]) {
      expect(await open(client, { request_uri: documents.origin + path + end })).toMatchObject(stopped);
    }
    expect(documents.asked(path)).toBe(0);
    const exact = `${documents.origin}${path}#${digestOf('x')}`;
    expect(answerOf(await open(client, { request_uri: exact }))).toHaveProperty('code');
  });

  test('No object is fetched for a client that is disabled, unknown, must push, or belongs to another tenant.', async () => {
    const { client, path, uri } = await asking();
    const pushing = await app([key], { request_uris: [uri], require_pushed_authorization_requests: true });
    const refused = answerOf(await open(pushing, { request_uri: uri, redirect_uri: callback }));
    expect(refused).toMatchObject({ to: callback, error: 'invalid_request' });
    await service.deps.clientRegistry.disable(tenant, client.clientId);
    for (const each of [client, { clientId: 'nobody', tenant }, { ...pushing, tenant: rival }]) {
      expect(await open(each, { request_uri: uri })).toMatchObject(stopped);
    }
    expect(documents.asked(path)).toBe(0);
  });

  test('An internal address is never fetched, even when it is registered.', async () => {
    const closed = new RequestDocuments(createSafeFetch({ allowPrivate: false, allowHttp: true }), Date.now);
    const { client, path, uri } = await asking();
    await expect(closed.get(client, uri)).rejects.toMatchObject({ code: 'invalid_request_uri' });
    expect(documents.asked(path)).toBe(0);
  });

  test('A plain http address is never fetched in production.', async () => {
    const encrypted = new RequestDocuments(
      createSafeFetch({ allowPrivate: true, allowHttp: false }),
      Date.now,
    );
    const { client, path, uri } = await asking();
    await expect(encrypted.get(client, uri)).rejects.toMatchObject({ code: 'invalid_request_uri' });
    expect(documents.asked(path)).toBe(0);
  });
});

describe('a server with an invalid response', () => {
  const answers: [string, (path: string) => void][] = [
    ['another page', (path) => documents.serve(path, 'x', 'text/html')],
    [
      'a redirect, inwards or anywhere',
      (path) =>
        documents.answer(path, (_request, response) =>
          response.writeHead(302, { location: `${documents.origin}/trap` }).end(),
        ),
    ],
    ['an error', (path) => documents.answer(path, (_request, response) => response.writeHead(500).end())],
    ['too much', (path) => documents.serve(path, `${'A'.repeat(16_000)}.${'B'.repeat(16_000)}.C`)],
    [
      'too much, bit by bit',
      (path) =>
        documents.answer(path, (_request, response) => {
          response.setHeader('content-type', 'application/jwt');
          const more = setInterval(() => response.write('A'.repeat(4_096)), 5);
          response.on('close', () => clearInterval(more));
        }),
    ],
    [
      'something compressed',
      (path) =>
        documents.answer(path, (_request, response) =>
          response.writeHead(200, { 'content-type': 'application/jwt', 'content-encoding': 'gzip' }).end('x'),
        ),
    ],
    ['nothing at all', (path) => documents.answer(path, (request) => request.socket.destroy())],
    ['never', (path) => documents.answer(path, () => undefined)],
  ];
  test.each(answers)(
    'For this answer the user is notified in time, and the address is not fetched again for a while: %s.',
    async (_, set) => {
      const { client, path, uri } = await asking();
      set(path);
      const first = await Promise.all(
        Array.from({ length: 20 }, () => open(client, { request_uri: uri, redirect_uri: callback })),
      );
      for (const answer of first) expect(answer).toMatchObject(stopped);
      expect(first[0]?.text).not.toContain('127.0.0.1');
      for (let times = 0; times < 3; times += 1) {
        expect(await open(client, { request_uri: uri })).toMatchObject(stopped);
      }
      expect([documents.asked(path), documents.asked('/trap')]).toEqual([1, 0]);
    },
  );

  test('A fetched object that does not belong to this client is rejected without a redirect.', async () => {
    const { client, path, uri } = await asking();
    const other = await asking();
    for (const text of [other.object, 'x', '']) {
      documents.serve(path, text);
      expect(await open(client, { request_uri: uri, redirect_uri: callback })).toMatchObject(stopped);
    }
  });

  test('A fetched object that is not signed redirects with invalid_request_object where no algorithm is registered.', async () => {
    const { client, path, uri } = await asking();
    documents.serve(path, unsigned(claimsFor(client)));
    const answer = answerOf(await open(client, { request_uri: uri, redirect_uri: callback }));
    expect(answer).toMatchObject({ to: callback, error: 'invalid_request_object', state: 'inside' });
  });
});
