import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  answered,
  app,
  invalidGrant,
  machineToken,
  old,
  open,
  outcome,
  service,
  setUpAttackedService,
  signedIn,
} from '../../support/sign-in/attacked-service.ts';
import {
  authorizeUrl,
  callback,
  redeem,
  signInAndAllow,
  tenant,
  token,
  userinfoStatus,
  verifier,
} from '../../support/sign-in/service.ts';

// Known vulnerabilities of other products, tested over HTTP. Excluded from RFC 9700: mutual TLS (§4.10), which is not
// supported, and requirements on clients and resource servers (§4.1.1, §4.4.2.2).

setUpAttackedService();

describe('PKCE', () => {
  const without = { code_challenge: undefined, code_challenge_method: undefined };
  const code = (end: URL, form: Record<string, string> = {}) => ({
    grant_type: 'authorization_code',
    code: end.searchParams.get('code') ?? '',
    redirect_uri: callback,
    ...form,
  });

  test('PKCE is never skipped, neither at the start nor at the end (CVE-2023-48228).', async () => {
    const { browser } = await signedIn();
    for (const fields of [
      without,
      { code_challenge: '' },
      { code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: 's256' },
    ]) {
      const { location } = await browser.get(authorizeUrl(app, fields));
      expect([fields, answered(location).get('error')]).toEqual([fields, 'invalid_request']);
    }
    const end = new URL((await browser.get(authorizeUrl(app))).location ?? '');
    expect(outcome(await token(service, app, code(end)))).toEqual([400, 'invalid_request']);
    expect(outcome(await token(service, app, code(end, { code_verifier: '' })))).toEqual([
      400,
      'invalid_request',
    ]);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect(outcome(await token(service, app, code(end, { code_verifier: challenge })))).toEqual(invalidGrant);
    expect((await token(service, app, code(end, { code_verifier: verifier }))).status).toBe(200);
  });

  test('PKCE is never downgraded where it is optional, in either direction (CVE-2024-23647, RFC 9700 §4.8).', async () => {
    const { browser } = await signedIn('alice', app);
    const secret = { client_secret: old.secret ?? '' };
    const get = async (fields: Record<string, string | undefined>) =>
      new URL((await browser.get(authorizeUrl(old, { nonce: 'n', ...fields }))).location ?? '');
    // The attacker removes the challenge from the victim's request: the victim's verifier must be rejected.
    const stripped = await get(without);
    const honest = await token(service, old, code(stripped, { ...secret, code_verifier: verifier }));
    expect(honest.body.error).toMatch(/^invalid_(grant|request)$/);
    // A code with a challenge is not redeemed without a verifier.
    const bare = await token(service, old, code(await get({}), secret));
    expect(bare.body.error).toMatch(/^invalid_(grant|request)$/);
    expect((await token(service, old, code(await get(without), secret))).status).toBe(200);
  });

  test('A code from the sign-in of another browser is never accepted (RFC 9700 §4.5).', async () => {
    const other = createHash('sha256').update('z'.repeat(43)).digest('base64url');
    const end = await signInAndAllow(service.browser(), app, 'mallory', { code_challenge: other });
    expect(outcome(await redeem(service, app, end))).toEqual(invalidGrant);
  });
});

describe('redirect URIs', () => {
  const refused = async (redirect_uri: string, client = app) => {
    const { browser } = await signedIn();
    for (const more of [{}, { prompt: 'none' }, { response_type: 'token' }, { scope: '"' }]) {
      const answer = await browser.get(authorizeUrl(client, { redirect_uri, ...more }));
      expect([redirect_uri, answer.status, answer.location]).toEqual([redirect_uri, 400, undefined]);
    }
  };

  test('A redirect URI is never read as a pattern (CVE-2024-52289).', async () => {
    for (const uri of [
      'https://appXexample/callback',
      `${callback}x`,
      'https://app.example.evil.example/callback',
    ])
      await refused(uri);
    for (const uri of ['https://*.example/cb', 'https://app.example/.*', 'https://app.example/[a-z]+']) {
      const made = await service.client({ redirect_uris: [uri] }).catch(() => undefined);
      if (made) {
        await refused('https://app.example/anything', made);
        await refused('https://evil.example/cb', made);
      }
    }
  });

  test('A redirect URI is never compared without regard to case (CVE-2020-15234).', async () => {
    for (const uri of [
      callback.toUpperCase(),
      'https://app.example/Callback',
      'HTTPS://app.example/callback',
    ])
      await refused(uri);
  });
});

describe('other requirements of RFC 9700', () => {
  test('The authorization response always names its issuer, which prevents server mix-up (§4.4).', async () => {
    const { browser } = await signedIn();
    for (const fields of [{}, { scope: 'nonsense' }, { response_type: 'token' }, { prompt: 'x' }]) {
      const { location } = await browser.get(authorizeUrl(app, fields));
      expect(answered(location).get('iss')).toBe(`http://localhost:4000/t/${tenant}`);
    }
  });

  test('The authorization endpoint never returns a token (§2.1.2).', async () => {
    const { browser } = await signedIn();
    for (const type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none', '']) {
      const { location } = await browser.get(authorizeUrl(app, { response_type: type, nonce: 'n' }));
      expect(location ?? '').not.toMatch(/access_token|id_token=|[?&]code=|#/);
    }
    for (const mode of ['fragment', 'web_message', 'jwt'])
      expect((await browser.get(authorizeUrl(app, { response_mode: mode }))).location).not.toContain('code=');
  });

  test('A user page cannot be read from another origin, framed, or leak its address (§2.6, §4.2, §4.16).', async () => {
    for (const path of [authorizeUrl(app), authorizeUrl(app, { client_id: 'x' }), `/t/${tenant}/device`]) {
      const browser = service.browser();
      const first = await browser.get(path, { origin: 'https://evil.example' });
      const last = await browser.follow(first);
      for (const { headers } of [first, last]) expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(last.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
      expect(last.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    const preflight = await fetch(`${service.origin}/t/${tenant}/authorize`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('A token in the address of a request is never accepted (§4.3.2).', async () => {
    const { tokens } = await signedIn();
    const answer = await open(`/t/${tenant}/userinfo?access_token=${tokens.access_token}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('alice');
  });

  test('A token of the client itself is never accepted as that of a user (§4.15).', async () => {
    expect(await userinfoStatus(service, await machineToken('users:read'))).not.toBe(200);
  });
});
