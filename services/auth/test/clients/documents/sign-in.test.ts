import { expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  alice,
  allow,
  allowOn,
  bob,
  documents,
  loopback,
  newPath,
  open,
  redeemed,
  refreshed,
  service,
  setUpDocuments,
  signedIn,
  stored,
  tokensOf,
} from '../../support/document-client.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpDocuments();

test('A native client with a metadata document signs users in without a registration, at any loopback port.', async () => {
  const clientId = documents.publish(newPath());
  const browser = await signedIn();
  const page = await open(browser, clientId);
  expect(page.text).toContain('action="/t/demo/consent"');
  const answer = await allowOn(browser, page);
  expect(answer.href.startsWith(`${loopback}?`)).toBe(true);
  const { status, body } = await redeemed(clientId, answer);
  expect(status).toBe(200);
  expect(decodeJwt(String(body.access_token))).toMatchObject({ client_id: clientId, sub: alice.id });
  expect(decodeJwt(String(body.id_token))).toMatchObject({ aud: clientId });
  expect((await refreshed(clientId, body.refresh_token)).status).toBe(200);
});

test('The consent page shows the host of the document, and warns of redirect URIs on the device.', async () => {
  const path = newPath();
  const clientId = documents.publish(path, { client_name: 'Console of <Demo>' });
  const onDevice = await open(await signedIn(), clientId);
  expect(onDevice.text).toContain(`published by <strong>${documents.host}</strong>`);
  expect(onDevice.text).toContain('Console of &#60;Demo&#62;');
  expect(onDevice.text).toContain('other programs can use its name');
  expect(onDevice.text).not.toContain('Your choice is remembered');
  const onHost = await open(await signedIn(), clientId, { redirect_uri: `${documents.origin}/callback` });
  expect(onHost.text).toContain(`published by <strong>${documents.host}</strong>`);
  expect(onHost.text).not.toContain('other programs can use its name');
});

test('A client is stored when the first user allows it, not when a visitor opens its sign-in.', async () => {
  const clientId = documents.publish(newPath());
  await open(service.browser(), clientId);
  const browser = await signedIn();
  const page = await open(browser, clientId);
  await browser.submit(page, { action: 'deny' });
  expect(await stored(clientId)).toBeNull();
  await tokensOf(clientId);
  expect(await stored(clientId)).toMatchObject({
    clientId,
    name: 'Assistant',
    version: 1,
    requireConsent: true,
  });
  expect(await stored(clientId, rival)).toBeNull();
});

test('A user is asked at each sign-in, and prompt=none is rejected: a consent does not cover what resource names.', async () => {
  const clientId = documents.publish(newPath());
  const atHost = { redirect_uri: `${documents.origin}/callback` };
  const browser = await signedIn();
  expect(String(await allowOn(browser, await open(browser, clientId, atHost)))).toContain('code=');
  for (const request of [{}, { scope: 'openid email' }])
    expect((await open(browser, clientId, { ...atHost, ...request })).text).toContain(
      'action="/t/demo/consent"',
    );
  expect((await open(browser, clientId)).text).toContain('action="/t/demo/consent"');
  expect((await open(browser, clientId, { ...atHost, prompt: 'none' })).location).toContain(
    'error=consent_required',
  );
});

test('Parallel approvals of a new client store it once, and each user gets tokens.', async () => {
  const clientId = documents.publish(newPath());
  const atHost = `${documents.origin}/callback`;
  const people = [alice, bob, alice, bob];
  const browsers = await Promise.all(people.map((person) => signedIn(person)));
  const pages = await Promise.all(
    browsers.map((browser) => open(browser, clientId, { redirect_uri: atHost })),
  );
  const answers = await Promise.all(
    browsers.map((browser, index) => allowOn(browser, pages[index] as (typeof pages)[0])),
  );
  const redemptions = await Promise.all(answers.map((answer) => redeemed(clientId, answer, {}, atHost)));
  expect(redemptions.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await stored(clientId)).toMatchObject({ version: 1 });
});

test('Parallel requests for one document fetch it once, and later ones use the cache.', async () => {
  const path = newPath();
  const clientId = documents.publish(path);
  const browsers = Array.from({ length: 8 }, () => service.browser());
  const pages = await Promise.all(browsers.map((browser) => open(browser, clientId)));
  expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
  await open(service.browser(), clientId);
  expect(documents.asked(path)).toBe(1);
});

test('The metadata of a tenant announces documents only while its policy accepts them.', async () => {
  const announced = async (of: string) => {
    const response = await fetch(`${service.origin}/t/${of}/.well-known/openid-configuration`);
    return ((await response.json()) as Record<string, unknown>).client_id_metadata_document_supported;
  };
  expect([await announced(tenant), await announced(rival)]).toEqual([true, false]);
  await allow(['app.example'], {}, rival);
  expect(await announced(rival)).toBe(true);
  await allow([], {}, rival);
  expect(await announced(rival)).toBe(false);
});

test('A user who withdraws the app on the account page ends its tokens and is asked again.', async () => {
  const clientId = documents.publish(newPath());
  const atHost = { redirect_uri: `${documents.origin}/callback` };
  const browser = await signedIn();
  const answer = await allowOn(browser, await open(browser, clientId, atHost));
  const { body } = await redeemed(clientId, answer, {}, atHost.redirect_uri);
  expect((await browser.get(`/t/${tenant}/account`)).text).toContain('Assistant');
  await service.deps.account.withdraw(tenant, alice.id, clientId);
  expect((await refreshed(clientId, body.refresh_token)).status).toBe(400);
  expect((await open(browser, clientId, atHost)).text).toContain('action="/t/demo/consent"');
});
