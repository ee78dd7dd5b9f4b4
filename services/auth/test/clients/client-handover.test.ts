import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import type { Client } from '../../src/clients/domain/client.ts';
import type { ClientMetadata } from '../../src/clients/domain/client-registry.ts';
import { checkClientMetadata } from '../../src/clients/domain/clients.ts';
import { handoverMembers, handsConsentsOver } from '../../src/clients/domain/conferral/client-handover.ts';
import { callMutation, everything, machineToken } from '../support/conferring.ts';
import type { Browser } from '../support/sign-in/browser.ts';
import {
  authorizeUrl,
  callback,
  redeem,
  rival,
  signIn,
  startTestService,
  type TestService,
  tenant,
  token,
} from '../support/sign-in/service.ts';

const scope = 'openid profile email offline_access';
const elsewhere = 'https://attacker.example/cb';

let service: TestService;
let browser: Browser;
/** Callers: one with the scopes that consents confer, one that may only write clients, and one of another tenant. */
let by: Record<'holder' | 'weak' | 'stranger', string>;
let keys: string[];

const key = async (kid: string): Promise<string> => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] });
};

beforeAll(async () => {
  service = await startTestService();
  await service.person('alice');
  browser = service.browser();
  by = {
    holder: await machineToken(service, everything),
    weak: await machineToken(service, ['clients:write']),
    stranger: await machineToken(service, everything, rival),
  };
  keys = [await key('first'), await key('second')];
  const first = await service.client({ scope, require_consent: false });
  await signIn(browser, first, 'alice', { fields: { scope } });
});
afterAll(() => service.stop());

const consentPage = async (client: Client) =>
  browser.follow(await browser.get(authorizeUrl(client, { scope })));

/** Registers a client that asks for consent, and gives alice's consent to it. */
async function consented(metadata: Partial<ClientMetadata> = {}): Promise<{ client: Client; answer: URL }> {
  const client = await service.client({ scope, application_type: 'web', ...metadata });
  const allowed = await browser.submit(await consentPage(client), { action: 'allow' });
  return { client, answer: new URL(allowed.location ?? '') };
}

/** Sends an authorization request with prompt=none from alice's browser and returns 'a code' or the error. */
async function silently(client: Client, redirectUri = callback): Promise<string | null> {
  const request = authorizeUrl(client, { scope, prompt: 'none', redirect_uri: redirectUri });
  const { location } = await browser.get(request);
  if (location === undefined) return 'no redirect';
  const answer = new URL(location).searchParams;
  return answer.has('code') ? 'a code' : answer.get('error');
}

const call = (name: string, input: object, caller: keyof typeof by) =>
  callMutation(service, name, input, by[caller]);
const update = (id: string, input: object, caller: keyof typeof by = 'weak') =>
  call('updateClient', { id, ...input }, caller);

interface Way {
  metadata?: () => Partial<ClientMetadata>;
  mutation?: string;
  input: () => object;
}

const withKeys = (): Partial<ClientMetadata> => ({
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: JSON.parse(keys[0] ?? ''),
});
const withSecret = (): Partial<ClientMetadata> => ({ token_endpoint_auth_method: 'client_secret_basic' });

/** Changes that expose consents to another party, by the member that changes. */
const ways: Record<string, Way> = {
  redirectUris: { input: () => ({ redirectUris: [callback, elsewhere] }) },
  application_type: { input: () => ({ applicationType: 'NATIVE' }) },
  resources: { input: () => ({ resources: ['https://attacker.example/api'] }) },
  may_act: { input: () => ({ mayAct: 'somebody' }) },
  backchannel_logout_uri: { input: () => ({ backchannelLogoutUri: 'https://attacker.example/logout' }) },
  type: { input: () => ({ tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC' }) },
  tokenEndpointAuthMethod: {
    metadata: withSecret,
    input: () => ({ tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT', jwks: keys[1] }),
  },
  jwks: { metadata: withKeys, input: () => ({ jwks: keys[1] }) },
  jwks_uri: { metadata: withKeys, input: () => ({ jwksUri: 'https://attacker.example/jwks' }) },
  'a new secret': { metadata: withSecret, mutation: 'rotateClientSecret', input: () => ({}) },
};

test('Every member whose change exposes consents is covered by this file.', () => {
  // No administrator changes the first, and the document of the second is fetched: their rules have separate tests.
  const byRule = ['subject_type', 'sector_identifier_uri'];
  const tried = [...Object.keys(ways), ...byRule].filter((name) => name !== 'a new secret');
  expect(tried.sort()).toEqual([...handoverMembers].sort());
});

test("A change of the users' identifiers exposes consents.", () => {
  const of = (identifiers: Partial<ClientMetadata>) =>
    checkClientMetadata({
      client_name: 'x',
      redirect_uris: [callback],
      scope: 'openid',
      ...identifiers,
    });
  const inSector = (host: string) => ({
    subject_type: 'pairwise',
    sector_identifier_uri: `https://${host}/sector`,
  });
  const before = of(inSector('app.example')) as unknown as Client;
  expect(handsConsentsOver(before, of(inSector('app.example')))).toBe(false);
  expect(handsConsentsOver(before, of(inSector('other.example')))).toBe(true);
  expect(handsConsentsOver(before, of({}))).toBe(true);
});

describe.each(Object.entries(ways))('a change that exposes consents: %s', (_name, way) => {
  const change = (client: Client, caller: keyof typeof by) =>
    call(way.mutation ?? 'updateClient', { id: client.clientId, ...way.input() }, caller);

  test('A caller without the scopes that the consents confer ends them, and users are asked again.', async () => {
    const { client } = await consented(way.metadata?.());
    expect(await silently(client)).toBe('a code');
    expect((await change(client, 'weak')).code).toBeUndefined();
    expect(await silently(client)).toBe('consent_required');
    const again = await browser.submit(await consentPage(client), { action: 'allow' });
    expect(again.location).toContain('code=');
    expect(await silently(client)).toBe('a code');
  });

  test('A caller with the scopes that the consents confer keeps them, and one of another tenant cannot change the client.', async () => {
    const { client } = await consented(way.metadata?.());
    expect((await change(client, 'stranger')).code).toBe('NOT_FOUND');
    expect(await silently(client)).toBe('a code');
    expect((await change(client, 'holder')).code).toBeUndefined();
    expect(await silently(client)).toBe('a code');
  });
});

describe('the scope of a change that ends consents', () => {
  test('The consents of other clients stay, and so do grants; the log contains the number of ended consents.', async () => {
    const [mine, others] = [await consented(), await consented()];
    const { body } = await redeem(service, mine.client, mine.answer);
    await update(mine.client.clientId, { redirectUris: [callback, elsewhere] });
    expect(await silently(others.client)).toBe('a code');
    const refreshed = await token(service, mine.client, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token ?? '',
    });
    expect(refreshed.status).toBe(200);
    const { rows } = await service.deps.database.sql.query(
      `SELECT changes FROM auth.security_log WHERE action = 'client.updated' AND resource_id = '${mine.client.clientId}'`,
    );
    expect(rows).toEqual([{ changes: expect.objectContaining({ consents: { before: 1, after: 0 } }) }]);
  });

  test.each([
    ['another name', { name: 'Another' }],
    ['fewer redirect URIs', { redirectUris: [callback] }],
    ['fewer scopes', { scopes: scope.split(' ').concat('groups') }],
    ['another address after signing out', { postLogoutRedirectUris: ['https://app.example/out'] }],
    ['another page', { clientUri: 'https://app.example/' }],
  ])('Consents stay after a change that does not expose them: %s.', async (_what, input) => {
    const { client } = await consented({ redirect_uris: [callback, 'https://app.example/old'] });
    expect((await update(client.clientId, input)).code).toBeUndefined();
    expect(await silently(client)).toBe('a code');
  });

  test('A client that changes its own registration ends its consents.', async () => {
    const { client } = await consented();
    await service.deps.clientRegistry.update(
      tenant,
      client.clientId,
      (current) => ({ ...current, redirect_uris: [callback, elsewhere] }),
      { byItself: true },
    );
    expect(await silently(client, elsewhere)).toBe('consent_required');
  });
});

describe('concurrent changes', () => {
  const handOver = (client: Client) => update(client.clientId, { redirectUris: [callback, elsewhere] });

  test('A consent that is given while the redirect URI changes is not valid for the new address.', async () => {
    for (let round = 0; round < 6; round += 1) {
      const client = await service.client({ scope, application_type: 'web' });
      const page = await consentPage(client);
      const [allowed, changed] = await Promise.all([
        browser.submit(page, { action: 'allow' }),
        handOver(client),
      ]);
      expect(changed.code).toBeUndefined();
      if (allowed.location?.includes('code='))
        expect(new URL(allowed.location).origin).toBe('https://app.example');
      expect(await silently(client, elsewhere)).toBe('consent_required');
    }
  });

  test('A consent that was requested before the change is not stored after it.', async () => {
    for (const rotates of [false, true]) {
      const client = await service.client({ scope, application_type: 'web', ...withSecret() });
      const page = await consentPage(client);
      if (rotates) await call('rotateClientSecret', { id: client.clientId }, 'weak');
      else await handOver(client);
      const allowed = await browser.submit(page, { action: 'allow' });
      expect(new URL(allowed.location ?? '').origin).toBe('https://app.example');
      expect(await silently(client, rotates ? callback : elsewhere)).toBe('consent_required');
    }
  });

  test('A code that is redeemed while the redirect URI changes is valid for its own address only.', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [first, second] = [await consented(), await consented()];
      const stolen = {
        grant_type: 'authorization_code',
        code: second.answer.searchParams.get('code') ?? '',
        redirect_uri: elsewhere,
        code_verifier: 'a'.repeat(43),
      };
      const [redeemed, refused] = await Promise.all([
        redeem(service, first.client, first.answer),
        token(service, second.client, stolen),
        handOver(first.client),
        handOver(second.client),
      ]);
      expect([redeemed.status, refused.status, refused.body.error]).toEqual([200, 400, 'invalid_grant']);
      for (const { client } of [first, second])
        expect(await silently(client, elsewhere)).toBe('consent_required');
    }
  });

  test('No request during a change of the redirect URI is answered silently at the new address.', async () => {
    const { client } = await consented();
    const [, ...answers] = await Promise.all([
      handOver(client),
      ...Array.from({ length: 20 }, () => silently(client, elsewhere)),
    ]);
    expect(answers.filter((answer) => answer === 'a code')).toEqual([]);
    expect(await silently(client, elsewhere)).toBe('consent_required');
  });

  test('Of parallel changes by callers with and without the conferred scopes, one without them ends the consents.', async () => {
    const { client } = await consented(withSecret());
    await Promise.all([
      ...[1, 2, 3].map(() => call('rotateClientSecret', { id: client.clientId }, 'holder')),
      call('rotateClientSecret', { id: client.clientId }, 'weak'),
    ]);
    expect(await silently(client)).toBe('consent_required');
  });
});
