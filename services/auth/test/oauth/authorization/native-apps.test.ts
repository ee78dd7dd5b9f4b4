import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { Answer } from '../../support/sign-in/browser.ts';
import { ask, service, setUpRelyingParty, signedIn } from '../../support/sign-in/relying-party.ts';

setUpRelyingParty();

/** Returns a parameter of a redirect. */
const said = ({ location }: Answer, name: string): string | null =>
  new URL(location ?? '').searchParams.get(name);
const errorOf = (answer: Answer): string | null => said(answer, 'error');

const native = (redirectUri: string, metadata: object = {}): Promise<Client> =>
  service.client({
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris: [redirectUri],
    require_consent: false,
    ...metadata,
  });

/** Redirect URIs that another program on the user's device could use (RFC 8252 §8.6). */
const doubtful: [what: string, registered: string, requested: string][] = [
  ['another port of a loopback address', 'http://127.0.0.1:8400/cb', 'http://127.0.0.1:8666/cb'],
  ['a port where none is registered', 'http://127.0.0.1/cb', 'http://127.0.0.1:8666/cb'],
  ['another port of the IPv6 loopback address', 'http://[::1]/cb', 'http://[::1]:8666/cb'],
  ['a scheme of its own', 'com.example.app:/cb', 'com.example.app:/cb'],
  // Another program than the registered one may listen on the port.
  ['the registered port of a loopback address', 'http://127.0.0.1:8400/cb', 'http://127.0.0.1:8400/cb'],
  ['the registered port of the IPv6 loopback address', 'http://[::1]:8400/cb', 'http://[::1]:8400/cb'],
  ['a loopback address without a port', 'http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
  ['the name of the loopback address', 'http://localhost:8400/cb', 'http://localhost:8400/cb'],
];

describe.each(doubtful)('a response of a public client to %s', (_what, registered, requested) => {
  test('A request with prompt=none for an unverifiable redirect URI is rejected with interaction_required.', async () => {
    const app = await native(registered);
    const answer = await ask(await signedIn(), { redirect_uri: requested, prompt: 'none' }, app);
    expect(errorOf(answer)).toBe('interaction_required');
    expect(said(answer, 'code')).toBeNull();
  });

  test('A code for an unverifiable redirect URI is issued to the user who consents, and each request requires consent again.', async () => {
    const app = await native(registered);
    const browser = await signedIn();
    for (let time = 0; time < 2; time += 1) {
      const page = await ask(browser, { redirect_uri: requested }, app);
      expect(page.location).toMatch(/\/consent\?/);
      const agreed = await browser.submit(await browser.get(page.location ?? ''), { action: 'allow' });
      expect(agreed.location).toContain('code=');
    }
  });
});

test.each([
  ['a web address', 'https://app.example/native', {}],
  [
    'a client that proves who it is',
    'http://127.0.0.1:8400/cb',
    { token_endpoint_auth_method: 'client_secret_basic' },
  ],
])('A request with %s is answered without interaction.', async (_what, registered, metadata) => {
  const app = await native(registered, metadata);
  const answer = await ask(await signedIn(), { redirect_uri: registered, prompt: 'none' }, app);
  expect(said(answer, 'code')).toBeTruthy();
});

test('A single-page app at a loopback address is not answered without interaction either.', async () => {
  const app = await native('http://127.0.0.1:8500/callback', { application_type: 'web' });
  const requested = { redirect_uri: 'http://127.0.0.1:8500/callback' };
  expect(errorOf(await ask(await signedIn(), { ...requested, prompt: 'none' }, app))).toBe(
    'interaction_required',
  );
  // A sign-in counts as interaction.
  const answer = await ask(await signedIn(), { ...requested, prompt: 'login' }, app);
  expect(answer.location).toMatch(/\/login\?/);
});

test('A session of another tenant does not satisfy the request of a native app.', async () => {
  const app = await native('http://127.0.0.1/cb');
  const elsewhere = await signedIn();
  elsewhere.cookies.clear();
  const answer = await ask(elsewhere, { redirect_uri: 'http://127.0.0.1:8666/cb', prompt: 'none' }, app);
  expect(errorOf(answer)).toBe('login_required');
});
