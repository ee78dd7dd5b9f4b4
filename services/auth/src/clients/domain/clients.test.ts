import { describe, expect, test } from '@jest/globals';
import { checkClientMetadata, checkRedirectUri } from './clients.ts';

describe('redirect URIs that may be registered', () => {
  test.each([
    'https://app.example/cb',
    'https://app.example/cb?tenant=1',
    'https://app.example:8443/a/b',
    'https://app.example',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8400/callback',
    'http://[::1]/callback',
    'http://localhost:3000/cb',
  ])('The redirect URI %s can be registered.', (uri) => expect(checkRedirectUri(uri, 'web')).toBe(uri));

  test.each(['com.example.app:/callback', 'com.example.app://callback'])(
    'The redirect URI %s can be registered for a native app only.',
    (uri) => {
      expect(checkRedirectUri(uri, 'native')).toBe(uri);
      expect(() => checkRedirectUri(uri, 'web')).toThrow();
    },
  );

  test.each([
    ['a plain http host', 'http://app.example/cb'],
    ['a host that only starts like loopback', 'http://127.0.0.1.example/cb'],
    ['a fragment', 'https://app.example/cb#x'],
    ['a wildcard', 'https://*.app.example/cb'],
    ['a path wildcard', 'https://app.example/*'],
    ['credentials', 'https://user:pw@app.example/cb'],
    ['an empty user', 'https://@app.example/cb'],
    ['an upper-case host', 'https://APP.example/cb'],
    ['an upper-case scheme', 'HTTPS://app.example/cb'],
    ['a default port', 'https://app.example:443/cb'],
    ['dot segments', 'https://app.example/a/../cb'],
    ['encoded dot segments', 'https://app.example/%2e%2e/cb'],
    ['a backslash', 'https://app.example\\@evil.example/cb'],
    ['a space', 'https://app.example/c b'],
    ['a line break', 'https://app.example/\ncb'],
    ['letters outside ASCII', 'https://äpp.example/cb'],
    ['a relative reference', '/cb'],
    ['nothing', ''],
    ['javascript', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['file', 'file:///etc/passwd'],
    ['a scheme without a domain', 'myapp:/cb'],
    ...['code', 'state', 'iss', 'error'].map((name) => [
      `${name} in its query`,
      `https://app.example/cb?x=1&${name}=`,
    ]),
    ['an endless one', `https://app.example/${'a'.repeat(3_000)}`],
  ])('A redirect URI is rejected for %s.', (_, uri) => {
    for (const type of ['web', 'native'] as const) {
      expect(() => checkRedirectUri(uri, type)).toThrow(
        expect.objectContaining({ code: 'invalid_redirect_uri' }),
      );
    }
  });
});

describe('client metadata', () => {
  const base = { client_name: 'App', redirect_uris: ['https://app.example/cb'] };

  test('The defaults of client metadata are those of RFC 7591.', () => {
    expect(checkClientMetadata(base)).toMatchObject({
      type: 'confidential',
      tokenEndpointAuthMethod: 'client_secret_basic',
      grantTypes: ['authorization_code'],
      responseTypes: ['code'],
      metadata: { application_type: 'web', require_consent: true, id_token_signed_response_alg: 'RS256' },
    });
  });

  test.each<[string, object, string?]>([
    ['no name', { client_name: '  ' }],
    ['a name with control characters', { client_name: 'a\u202eb' }],
    ['an unknown method', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an unknown grant', { grant_types: ['password'] }],
    ['implicit', { response_types: ['token'] }],
    [
      'a public client with client_credentials',
      { token_endpoint_auth_method: 'none', grant_types: ['client_credentials'] },
    ],
    ['nothing but refreshing', { grant_types: ['refresh_token'] }],
    ['no grant at all', { grant_types: [] }],
    ['an unknown scope', { scope: 'openid nonsense' }],
    ['a resource with a fragment', { resources: ['https://api.example#x'] }],
    ['a resource of the platform', { resources: ['urn:ostiary:service:directory'] }],
    ['the same in capitals', { resources: ['URN:OSTIARY:service:directory'] }],
    ['a logo that runs', { logo_uri: 'javascript:alert(1)' }],
    ['a logo whose address holds NUL', { logo_uri: 'https://app.example/\u0000' }],
    ['an unsigned ID token', { id_token_signed_response_alg: 'none' }],
    ['an odd application type', { application_type: 'tv' }],
  ])('Client metadata with %s is rejected.', (_, change) => {
    expect(() => checkClientMetadata({ ...base, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    );
  });

  const logoutUri = 'https://app.example/logout?at=1';

  test('A client is notified of logouts by https, or by http if it has a secret and http is not forbidden.', () => {
    const metadata = { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true };
    expect(checkClientMetadata({ ...base, ...metadata }, { httpsOnly: true }).metadata).toMatchObject(
      metadata,
    );
    const plain = { ...base, backchannel_logout_uri: 'http://app.internal/logout' };
    expect(checkClientMetadata(plain, { allowPrivate: true }).metadata).toMatchObject({
      backchannel_logout_uri: plain.backchannel_logout_uri,
    });
    expect(
      checkClientMetadata({ ...base, backchannel_logout_session_required: false }).metadata,
    ).not.toHaveProperty('backchannel_logout_session_required');
  });

  test.each<[string, object, { httpsOnly?: boolean }?]>([
    ['http in production', { backchannel_logout_uri: 'http://app.example/logout' }, { httpsOnly: true }],
    [
      'http for a client that anybody can be',
      { backchannel_logout_uri: 'http://app.example/logout', token_endpoint_auth_method: 'none' },
    ],
    ['a fragment', { backchannel_logout_uri: `${logoutUri}#top` }],
    ['an empty fragment', { backchannel_logout_uri: `${logoutUri}#` }],
    ['credentials', { backchannel_logout_uri: 'https://a:b@app.example/logout' }],
    ['a relative address', { backchannel_logout_uri: '/logout' }],
    ['a script', { backchannel_logout_uri: 'javascript:alert(1)' }],
    ['a number', { backchannel_logout_uri: 1 }],
    [
      'a word for whether the session is needed',
      { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: 'yes' },
    ],
    ['a session that is needed nowhere', { backchannel_logout_session_required: true }],
  ])('Logout metadata with %s is rejected.', (_, change, o = {}) => {
    expect(() => checkClientMetadata({ ...base, ...change }, o)).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    );
  });

  test('The code flow needs a redirect URI.', () => {
    expect(() => checkClientMetadata({ client_name: 'App' })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });
});
