import { describe, expect, test } from '@jest/globals';
import { LocalTokenVerifier } from '@ostiary/access';
import type { NewEvent } from '@ostiary/events';
import { eventually } from '@ostiary/service/testing';
import { liveApiToken } from '../../../src/access/machines/domain/api-token-reader.ts';
import { serviceAccountClient } from '../../../src/oauth/trust/domain/grant-jwt-bearer.ts';
import { isHandled, numbered } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { authorizeUrl, redeem, signInAndAllow, userinfoStatus } from '../../support/sign-in/service.ts';

setUpOneClient();

describe('suspended tenants', () => {
  test('A suspended tenant is rejected everywhere, and earlier tokens stay revoked when it is active again.', async () => {
    service.directory.addTenant('closing', 'Closing');
    const theirs = await service.client({ require_consent: false }, 'closing');
    await service.person('zoe', { tenant: 'closing' });
    const browser = service.browser();
    const { body: before } = await redeem(service, theirs, await signInAndAllow(browser, theirs, 'zoe'));
    const changed = (status: 'active' | 'suspended', version: number): NewEvent => ({
      tenant: 'closing',
      type: 'tenant.updated',
      subject: 'closing',
      version,
      actor: { kind: 'system', id: 'test' },
      payload: { id: 'closing', name: 'Closing', status },
    });
    const announced: string[] = [];
    const deaf = await service.deps.database.listen('auth_clients', (key) => announced.push(key));
    await service.directory.send([changed('suspended', 2)]);
    await eventually(async () => (await browser.get(authorizeUrl(theirs))).status === 403);
    expect([401, 403, 404]).toContain(await userinfoStatus(service, before.access_token ?? '', 'closing'));

    await service.directory.send([changed('active', 3)]);
    await eventually(async () => (await browser.get(authorizeUrl(theirs))).status === 303);
    // Every process is notified of the clients' new epochs, so that none uses cached ones for a second.
    await eventually(async () => announced.includes('closing'));
    await deaf();
    const known = async () => (await service.deps.clients.find('closing', theirs.clientId))?.epoch;
    await eventually(async () => (await known()) === 1);
    expect(await userinfoStatus(service, before.access_token ?? '', 'closing')).toBe(401);
    const { body: after } = await redeem(
      service,
      theirs,
      await signInAndAllow(service.browser(), theirs, 'zoe'),
    );
    expect(await userinfoStatus(service, after.access_token ?? '', 'closing')).toBe(200);
  });
});

test('A process that learns of a suspension by a client first reports the suspended tenant, not an unknown client.', async () => {
  service.directory.addTenant('hushed', 'Hushed');
  const theirs = await service.client({ require_consent: false }, 'hushed');
  const browser = service.browser();
  const { location: login = '' } = await browser.get(authorizeUrl(theirs));
  expect((await browser.get(login)).status).toBe(200);
  // State between the commit and its notification, in a process that has just read the tenant.
  const { clients, database, tenants } = service.deps;
  tenants.forget('hushed');
  expect((await tenants.find('hushed'))?.status).toBe('active');
  await database.sql.query(`UPDATE auth.tenants SET status = 'suspended' WHERE id = 'hushed'`);
  await clients.changed('hushed', theirs.clientId);
  const { body } = await redeem(service, theirs, new URL('https://app.example/callback?code=x'));
  expect([
    (await browser.get(login)).status,
    (await browser.get(authorizeUrl(theirs))).status,
    body.error,
  ]).toEqual([403, 403, 'access_denied']);
});

const renewed = (id: string, status: 'active' | 'suspended', version: number): NewEvent => ({
  tenant: id,
  type: 'tenant.updated',
  subject: id,
  version,
  actor: { kind: 'system', id: 'test' },
  payload: { id, name: id, status },
});

test('A suspension that is received after its end still revokes everything, once.', async () => {
  service.directory.addTenant('overtaken', 'Overtaken');
  const theirs = await service.client({ require_consent: false }, 'overtaken');
  await service.person('yves', { tenant: 'overtaken' });
  const enter = async () => {
    const browser = service.browser();
    const { body } = await redeem(service, theirs, await signInAndAllow(browser, theirs, 'yves'));
    return { browser, token: body.access_token ?? '' };
  };
  const before = await enter();
  const notified = async (event: NewEvent) => {
    const one = numbered(event);
    await service.directory.send([one]);
    await eventually(() => isHandled([one]));
  };
  await notified(renewed('overtaken', 'active', 4));
  expect(await userinfoStatus(service, before.token, 'overtaken')).toBe(200);
  await notified(renewed('overtaken', 'suspended', 3));
  expect((await service.deps.tenants.find('overtaken'))?.status).toBe('active');
  expect(await userinfoStatus(service, before.token, 'overtaken')).toBe(401);
  expect((await before.browser.get(authorizeUrl(theirs))).location).toContain('/login');

  await eventually(async () => (await service.deps.clients.find('overtaken', theirs.clientId))?.epoch === 1);
  const after = await enter();
  // An earlier suspension: it is either the same one or was replaced by the last one.
  await notified(renewed('overtaken', 'suspended', 2));
  expect(await userinfoStatus(service, after.token, 'overtaken')).toBe(200);
});

describe('programs of a suspended tenant', () => {
  test('The access token of a service account ends with the suspension, at every verifier, and stays revoked.', async () => {
    service.directory.addTenant('robots', 'Robots');
    await service.deps.tenants.find('robots');
    const { deps } = service;
    const account = await deps.serviceAccounts.create('robots', { name: 'Robot', scopes: ['users:read'] });
    const { token: accessToken } = await deps.accessTokens.issue('robots', {
      client: serviceAccountClient('robots', account),
      scopes: ['users:read'],
      resources: [],
    });
    const accepted = () =>
      deps.verifier.verify(accessToken, { audience: deps.issuer('robots') }).then(
        () => true,
        () => false,
      );
    expect(await accepted()).toBe(true);
    await service.directory.send([renewed('robots', 'suspended', 2)]);
    await eventually(async () => !(await accepted()));
    await service.directory.send([renewed('robots', 'active', 3)]);
    await eventually(async () => (await deps.tenants.find('robots'))?.status === 'active');
    expect(await accepted()).toBe(false);
    expect(await deps.introspection.liveAccessToken('robots', accessToken)).toBeNull();
  });

  test('API keys and personal access tokens that a verifier has cached are rejected immediately.', async () => {
    service.directory.addTenant('keys', 'Keys');
    const { deps } = service;
    const person = await service.person('owner', { tenant: 'keys' });
    const subject = await deps.subjects.find('keys', person.id);
    if (!subject) throw new Error('no such person');
    const personal = await deps.apiTokens.createPersonal('keys', subject, { name: 'script' });
    const account = await deps.serviceAccounts.create('keys', { name: 'Robot', scopes: ['users:read'] });
    const key = await deps.apiTokens.createKey('keys', account.id, { name: 'key' }, () => undefined);
    // A verifier in another service: it asks once and then uses the revocation list.
    let asked = 0;
    const verifier = new LocalTokenVerifier({
      publicOrigin: deps.env.PUBLIC_ORIGIN,
      keys: { keys: () => Promise.reject(new Error('not for API tokens')) },
      revocations: deps.revocationList,
      introspect: async () => true,
      apiToken: async (text) => {
        asked += 1;
        return liveApiToken(deps, text);
      },
      maxStalenessMs: 10_000,
      clock: deps.kit.clock,
      monotonic: deps.monotonic,
    });
    const accepted = (text: string) =>
      verifier.verify(text, { audience: deps.issuer('keys') }).then(
        () => true,
        () => false,
      );
    for (const { token: text } of [personal, key]) {
      expect(await accepted(text)).toBe(true);
      expect(await accepted(text)).toBe(true);
    }
    expect(asked).toBe(2);
    await service.directory.send([renewed('keys', 'suspended', 2)]);
    await eventually(async () => (await deps.tenants.find('keys'))?.status === 'suspended');
    await eventually(async () => !(await accepted(personal.token)) && !(await accepted(key.token)));
  });
});
