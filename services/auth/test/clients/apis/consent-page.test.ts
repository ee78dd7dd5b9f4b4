import { beforeAll, expect, test } from '@jest/globals';
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
