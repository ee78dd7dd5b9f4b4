import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  ask,
  bob,
  outcome,
  service,
  setUpRelyingParty,
  signedIn,
} from '../../support/sign-in/relying-party.ts';
import { redeem, rival, tenant } from '../../support/sign-in/service.ts';

setUpRelyingParty();

let app: Client;
const identifier = 'https://orders.example/v1';

beforeAll(async () => {
  const texts = { en: 'See your orders', de: 'Ihre Bestellungen ansehen' };
  const api = {
    identifier,
    name: 'Orders & <Co>',
    scopes: [
      { name: 'orders:read', descriptions: texts },
      { name: 'orders:write', descriptions: {} },
    ],
    roles: [],
    tokenLifetimeSeconds: null,
    tokenFormat: 'jwt',
  } as const;
  await service.deps.apis.register(tenant, api);
  await service.deps.apis.register(rival, {
    ...api,
    name: 'Rival',
    scopes: [{ name: 'orders:read', descriptions: { en: 'Wrong' } }],
  });
  app = await service.client({ scope: 'openid profile orders:read orders:write' });
});

test('The consent page shows the API and the descriptions of its scopes in the language of the user.', async () => {
  const browser = await signedIn();
  const page = async (locales: string) => {
    const answer = await ask(
      browser,
      { scope: 'openid profile orders:write orders:read', ui_locales: locales },
      app,
    );
    expect(answer.location).toMatch(/\/consent\?/);
    return (await browser.get(answer.location ?? '')).text;
  };
  const english = await page('en');
  expect(english).toContain('Orders &#38; &#60;Co&#62;');
  expect(english).toContain('See your orders');
  expect(english.indexOf('See your orders')).toBeLessThan(english.indexOf('orders:write</span>'));
  expect(english).not.toContain('Wrong');
  // A token for the API opens no account of the user.
  expect(english).not.toContain('See your profile, groups');
  expect(await page('de')).toContain('Ihre Bestellungen ansehen');
  expect(await page('fr')).toContain('See your orders');
});

test('The account page lists the descriptions of the scopes that the user allowed.', async () => {
  const browser = await signedIn({ person: bob });
  const page = await ask(browser, { scope: 'openid orders:read' }, app);
  await browser.submit(await browser.get(page.location ?? ''), { action: 'allow' });
  expect((await browser.get(`/t/${tenant}/account`)).text).toContain('See your orders');
});

test('The user’s consent gives the client a token for the API.', async () => {
  const browser = await signedIn();
  const fields = { scope: 'openid orders:read', resource: identifier };
  const page = await ask(browser, fields, app);
  const agreed = await browser.submit(await browser.get(page.location ?? ''), { action: 'allow' });
  const { body } = await redeem(service, app, outcome(agreed));
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    aud: identifier,
    scope: 'openid orders:read',
  });
  // The consent covers no other scope of the API.
  expect((await ask(browser, { ...fields, scope: 'openid orders:write' }, app)).location).toMatch(
    /\/consent\?/,
  );
  expect((await ask(browser, fields, app)).location).toContain('code=');
});

describe('a consent page that is open while its API changes', () => {
  const bills = {
    identifier: 'https://bills.example/v1',
    name: 'Bills',
    roles: [],
    scopes: [{ name: 'bills:read', descriptions: { en: 'See your bills' } }],
    tokenLifetimeSeconds: null,
    tokenFormat: 'jwt',
  } as const;
  const { identifier: resource } = bills;

  afterEach(async () => {
    for (const { id } of await service.deps.apis.ofScopes(tenant, ['bills:read']))
      await service.deps.apis.remove(tenant, id);
  });

  const define = (text: string, of = tenant) =>
    service.deps.apis.register(of, {
      ...bills,
      scopes: [{ name: 'bills:read', descriptions: { en: text } }],
    });

  const opened = async () => {
    const api = await define('See your bills');
    const { clientId } = await service.client({ scope: 'openid bills:read' });
    const find = async () => (await service.deps.clients.find(tenant, clientId)) as Client;
    const browser = await signedIn();
    const { location = '' } = await ask(browser, { scope: 'openid bills:read', resource }, await find());
    const page = await browser.get(location ?? '');
    expect(page.text).toContain('See your bills');
    const agree = (to = page) => browser.submit(to, { action: 'allow' });
    return { api, clientId, find, agree };
  };

  test('An API that was deleted and defined again is granted only after its own page is answered.', async () => {
    const { api, clientId, find, agree } = await opened();
    await service.deps.apis.remove(tenant, api.id);
    await define('Pay your bills');
    await service.deps.clientRegistry.update(tenant, clientId, (metadata) => ({
      ...metadata,
      scope: 'openid bills:read',
    }));
    const shown = await agree();
    expect([shown.status, shown.location]).toEqual([200, undefined]);
    expect(shown.text).toContain('Pay your bills');
    const { body } = await redeem(service, await find(), outcome(await agree(shown)));
    expect(decodeJwt(String(body.access_token))).toMatchObject({ aud: resource, scope: 'openid bills:read' });
  });

  test('Changed descriptions are shown before the grant.', async () => {
    const { api, agree } = await opened();
    const scopes = [{ name: 'bills:read', descriptions: { en: 'Pay your bills' } }];
    await service.deps.apis.update(tenant, api.id, { scopes });
    const shown = await agree();
    expect(shown.text).toContain('Pay your bills');
    expect((await agree(shown)).location).toContain('code=');
  });

  test('Changes of an equal API of another tenant leave the answer valid.', async () => {
    const { agree } = await opened();
    const theirs = await define('Wrong', rival);
    await service.deps.apis.remove(rival, theirs.id);
    expect((await agree()).location).toContain('code=');
  });
});
