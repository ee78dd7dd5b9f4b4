import { describe, expect, test } from '@jest/globals';
import { type FetchedDocument, OutgoingFetchError, TooManyRequests } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { FetchedDocuments } from '../../../src/clients/documents/data/fetched-documents.ts';
import { readDocument, UnusableDocument } from '../../../src/clients/documents/domain/document.ts';
import {
  allowedBy,
  allowsClient,
  checkPolicy,
  closedPolicy,
  registrationBy,
} from '../../../src/clients/documents/domain/document-policy.ts';
import { isClientId, isDocumentClientId } from '../../../src/clients/domain/client.ts';

const clientId = 'https://app.example/oauth/client.json';
const document = {
  client_id: clientId,
  client_name: 'App',
  redirect_uris: ['https://app.example/callback', 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
};
const bodyOf = (changes: object = {}): Buffer => Buffer.from(JSON.stringify({ ...document, ...changes }));
const read = (changes: object = {}) => readDocument(clientId, bodyOf(changes));

describe('the id of a client with a metadata document', () => {
  test.each([
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/client.json#part',
    'https://app.example/client.json#',
    'https://app.example/client.json?tenant=1',
    'https://app.example/client.json?',
    'https://user@app.example/client.json',
    'https://user:secret@app.example/client.json',
    'https://app.example/a/../client.json',
    'https://app.example/./client.json',
    'https://app.example/%2e%2e/client.json',
    'https://APP.example/client.json',
    'https://app.example:443/client.json',
    'https://app.example./client.json',
    'https://app.example\\client.json',
    'https://аpp.example/client.json',
    'https://app.example/clïent.json',
    'https://app.example/client json',
    'https://127.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://[::1]/client.json',
    `https://app.example/${'a'.repeat(512)}`,
    'javascript:alert(1)',
  ])('%s is not accepted.', (text) => {
    expect(isDocumentClientId(text)).toBe(false);
    expect(isClientId(text)).toBe(false);
  });

  test.each([clientId, 'https://app.example:8443/c', 'https://xn--bcher-kva.example/client.json'])(
    '%s is accepted.',
    (text) => {
      expect(isDocumentClientId(text)).toBe(true);
    },
  );
});

describe('a metadata document', () => {
  test.each([
    ['another client_id', { client_id: 'https://app.example/oauth/client.json/' }],
    ['a client_id in another case', { client_id: clientId.toUpperCase() }],
    ['no client_id', { client_id: undefined }],
    ['a client_secret', { client_secret: 'secret' }],
    ['the lifetime of a secret', { client_secret_expires_at: 0 }],
    ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'tls_client_auth', ['none']].map(
      (method) => [`the authentication ${String(method)}`, { token_endpoint_auth_method: method }] as const,
    ),
    ['only other grants', { grant_types: ['client_credentials'] }],
    ['no redirect URIs', { redirect_uris: [] }],
    ['a redirect URI that is not in a list', { redirect_uris: 'https://app.example/callback' }],
    ['a redirect URI of another type', { redirect_uris: [1] }],
    ['a scope that is not text', { scope: ['openid'] }],
  ] as const)('With %s it is rejected.', (_what, changes) => {
    expect(() => read(changes)).toThrow(UnusableDocument);
  });

  test.each([
    'javascript:alert(1)',
    'javascript://app.example/%0aalert(1)',
    'data:text/html,x',
    'https://other.example/callback',
    'https://sub.app.example/callback',
    'https://app.example.other.example/callback',
    'http://app.example/callback',
    'http://localhost.other.example/callback',
    'app:/callback',
    '/callback',
  ])('The redirect URI %s is ignored, and rejected without another one.', (uri) => {
    const { metadata } = read({ redirect_uris: [uri, 'https://app.example/callback'] });
    expect(metadata.redirect_uris).toEqual(['https://app.example/callback']);
    expect(() => read({ redirect_uris: [uri] })).toThrow(UnusableDocument);
  });

  test.each(['[]', 'null', '"text"', '{', '\ufeff', Buffer.from([0x7b, 0xff, 0x7d])])(
    'The text %j is rejected.',
    (text) => {
      expect(() => readDocument(clientId, Buffer.from(text))).toThrow(UnusableDocument);
    },
  );

  test('Grant types that this server does not use are ignored, and a member cannot set a reserved one.', () => {
    const { metadata } = read({
      grant_types: [
        'urn:ietf:params:oauth:grant-type:device_code',
        'authorization_code',
        'client_credentials',
      ],
      require_consent: false,
      resources: ['https://api.example'],
      own_scopes: ['x'],
      protected_resources: ['https://api.example'],
      backchannel_logout_uri: 'https://app.example/logout',
      request_uris: ['https://app.example/request'],
      client_uri: 'https://other.example/',
      tos_uri: 'https://app.example/terms',
    });
    expect(metadata).toEqual({
      client_name: 'App',
      tos_uri: 'https://app.example/terms',
      token_endpoint_auth_method: 'none',
      redirect_uris: document.redirect_uris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      require_consent: true,
    });
  });

  test('A document without a name gets that of its host.', () => {
    expect(read({ client_name: undefined }).metadata.client_name).toBe('app.example');
  });
});

describe('the policy for metadata documents', () => {
  const allows = (hosts: string[], id = clientId) => allowsClient({ ...closedPolicy, hosts }, id);

  test('Without hosts no client is accepted; * accepts every host, and a name only this host.', () => {
    expect(allows([])).toBe(false);
    expect(allows(['*'])).toBe(true);
    expect(allows(['app.example'])).toBe(true);
    expect(allows(['app.example'], 'https://app.example:8443/c')).toBe(false);
    expect(allows(['app.example'], 'https://sub.app.example/c')).toBe(false);
    expect(allows(['app.example'], 'https://app.example.other.example/c')).toBe(false);
    expect(allows(['*'], 'a-registered-client')).toBe(false);
  });

  test.each([
    'App.example',
    'https://app.example',
    'app.example/',
    '*.example',
    'app.example:443',
    'bücher.example',
    '',
    '10.0.0.1',
  ])('The host "%s" is rejected.', (host) => {
    expect(() => checkPolicy({ ...closedPolicy, hosts: [host] })).toThrow('hosts must be');
  });

  test('Scopes of the tenant’s own API are rejected.', () => {
    expect(() => checkPolicy({ ...closedPolicy, scopes: ['openid', 'users:read'] })).toThrow(
      'scopes must be',
    );
  });

  test('A client gets the scopes of its document that the policy allows, by default all of them.', () => {
    const api = { identifier: 'https://api.example', scopes: [{ name: 'orders:read', descriptions: {} }] };
    const bare = { identifier: 'https://mcp.example', scopes: [] };
    const allowed = allowedBy(closedPolicy, [api, bare] as unknown as Parameters<typeof allowedBy>[1]);
    const of = (changes: object) => registrationBy(read(changes), allowed);
    expect(of({ grant_types: ['authorization_code', 'refresh_token'] })).toMatchObject({
      scope: 'openid profile email offline_access orders:read',
      resources: ['https://mcp.example'],
    });
    expect(of({}).scope).toBe('openid profile email orders:read');
    expect(of({ scope: 'orders:read users:write openid orders:delete' }).scope).toBe('openid orders:read');
  });
});

test('A document whose jwks_uri is null has none.', () => {
  expect(read({ jwks_uri: null }).metadata).not.toHaveProperty('jwks_uri');
  expect(() => read({ jwks_uri: 'https://other.example/jwks' })).toThrow('jwks_uri must have the origin');
});

describe('the cache of metadata documents', () => {
  const answering = (of: () => Partial<FetchedDocument> | Error) => {
    const asked: string[] = [];
    let now = 1_000_000;
    const counted: string[] = [];
    const source = new FetchedDocuments({
      fetch: async (url) => {
        asked.push(url);
        const answer = of();
        if (answer instanceof Error) throw answer;
        return { body: bodyOf(), contentType: 'application/json', maxAge: undefined, ...answer };
      },
      limit: async ({ tenant }) => void counted.push(tenant),
      clock: () => now,
    });
    const get = (tenant = 'demo', more: object = {}) =>
      source.get({ tenant, clientId }, { address: '192.0.2.1', isStored: false, ...more });
    const after = async (seconds: number) => {
      now += seconds * 1_000;
      await get().catch(() => {});
      return asked.length;
    };
    const pass = (seconds: number) => {
      now += seconds * 1_000;
    };
    return { get, after, counted, pass, asked };
  };

  test.each([
    ['ten minutes by default', undefined, 600],
    ['a minute at least', 0, 60],
    ['as long as its server states', 3_600, 3_600],
    ['a day at most', 9_999_999, 86_400],
  ])('A document is cached for %s.', async (_what, maxAge, seconds) => {
    const { after } = answering(() => ({ maxAge }));
    expect(await after(0)).toBe(1);
    expect(await after(seconds - 1)).toBe(1);
    expect(await after(2)).toBe(2);
  });

  test('An error is cached for ten seconds, regardless of the headers of the response.', async () => {
    const { after, get } = answering(() => ({ body: bodyOf({ client_id: 'other' }), maxAge: 3_600 }));
    await expect(get()).rejects.toThrow('client_id differs');
    expect(await after(9)).toBe(1);
    expect(await after(2)).toBe(2);
  });

  test('A failed refresh keeps a cached document until its lifetime ends.', async () => {
    let isDown = false;
    const source = answering(() => (isDown ? new OutgoingFetchError('failed', 'down') : { maxAge: 3_600 }));
    const { document } = await source.get();
    isDown = true;
    source.pass(11);
    await expect(source.get('demo', { refresh: true })).rejects.toThrow('down');
    expect(await source.get()).toEqual({ document, isNew: false });
    source.pass(3_600);
    await expect(source.get()).rejects.toThrow('down');
  });

  test('A document is fetched again before its lifetime ends at most every ten seconds.', async () => {
    const { get, pass, asked } = answering(() => ({ maxAge: 3_600 }));
    const again = async () => (await get('demo', { refresh: true })).isNew;
    expect([await again(), await again()]).toEqual([true, false]);
    pass(10);
    expect([await again(), await again(), asked.length]).toEqual([true, false, 2]);
  });

  test('Requests for a stored client are not limited by their source, and others do not occupy its places.', async () => {
    const waiting: (() => void)[] = [];
    const source = new FetchedDocuments({
      fetch: async (url) => {
        if (url.startsWith('https://slow.example/')) await new Promise<void>((done) => waiting.push(done));
        return { body: bodyOf(), contentType: 'application/json', maxAge: undefined };
      },
      limit: async () => {
        if (waiting.length >= 8) throw new TooManyRequests(1);
      },
      clock: Date.now,
    });
    const slow = Array.from({ length: 8 }, (_, n) =>
      source
        .get(
          { tenant: 'demo', clientId: `https://slow.example/${n}` },
          { address: '192.0.2.1', isStored: false },
        )
        .catch(() => {}),
    );
    await eventually(async () => waiting.length === 8);
    const get = (isStored: boolean) =>
      source.get({ tenant: 'demo', clientId }, { address: '192.0.2.1', isStored });
    await expect(get(false)).rejects.toThrow(TooManyRequests);
    expect(await get(true)).toMatchObject({ isNew: true });
    for (const done of waiting) done();
    await Promise.all(slow);
  });

  test('A document of another media type is rejected.', async () => {
    await expect(answering(() => ({ contentType: 'text/html' })).get()).rejects.toThrow('media type');
    await expect(answering(() => ({ contentType: 'application/ld+json' })).get()).resolves.toBeDefined();
  });

  test('Each tenant has its own entries and its own count of fetches.', async () => {
    const { get, counted } = answering(() => ({}));
    await get('demo');
    await get('demo');
    await get('rival');
    expect(counted).toEqual(['demo', 'rival']);
  });
});
