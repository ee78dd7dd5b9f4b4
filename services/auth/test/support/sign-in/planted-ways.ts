import { expect } from '@jest/globals';
import { TrustedIssuers } from '../../../src/oauth/trust/domain/trusted-issuers.ts';
import { bearerGrant, Signatory } from '../assertions.ts';
import { Authenticator, passkeyOptions } from './authenticator.ts';
import { hiddenFields } from './browser.ts';
import {
  acceptWithPasskey,
  acceptWithPassword,
  enter,
  enterWithPasskey,
  linkOf,
  type Planted,
  plantedPassword,
  plantPassword,
} from './planting.ts';
import { asking, everything, service, webConsole } from './role-groups.ts';
import { accountPath, shownCodes } from './second-step.ts';
import { authorizeUrl, tenant, token } from './service.ts';

/** Plants a sign-in method; returns a function that reports the scopes it reaches when the user has the role. */
export type Plant = (person: Planted) => Promise<() => Promise<string[]>>;

/** Sign-in methods that a caller who may not assign the role sets for a user. */
export const plantedWays = {
  'a password that a connector sets': async (person) => {
    await plantPassword(person);
    return async () => (await enter(person.userName, { password: plantedPassword })).scopes;
  },
  'a password set by the link of an app with access:write': async (person) => {
    await acceptWithPassword(await linkOf(person, await asking.machine('access:write')));
    return async () => (await enter(person.userName, { password: plantedPassword })).scopes;
  },
  'a password set by the reset link of an app with access:write': async (person) => {
    await acceptWithPassword(await linkOf(person, await asking.machine('access:write'), 'resetUserAccess'));
    return async () => (await enter(person.userName, { password: plantedPassword })).scopes;
  },
  'a passkey set by the link of an app with users:write': async (person) => {
    const authenticator = await acceptWithPasskey(await linkOf(person, await asking.machine('users:write')));
    return async () => (await enterWithPasskey(authenticator)).scopes;
  },
  'a recovery code, in place of a passkey set by the link of an app with users:write': async (person) => {
    const browser = service.browser();
    const page = await browser.get(await linkOf(person, await asking.machine('users:write')));
    const credential = new Authenticator().create(passkeyOptions(page));
    const [code = ''] = shownCodes(
      await browser.follow(
        await browser.post(`/t/${tenant}/invitation`, { ...hiddenFields(page), credential }),
      ),
    );
    return async () => {
      await recover(person, code);
      return (await enter(person.userName, { password: plantedPassword })).scopes;
    };
  },
  'a password set in a session of a planted one': async (person) => {
    await plantPassword(person);
    await changePassword(person, plantedPassword, 'laundered by the planter itself');
    return async () => (await enter(person.userName, { password: 'laundered by the planter itself' })).scopes;
  },
  'the subject of a trusted issuer that an app with users:write and clients:write binds': async (person) => {
    const app = await partnership(person, await asking.machine('users:write clients:write'));
    return app.scopes;
  },
} satisfies Record<string, Plant>;

/** Sets the planted password with a recovery code. */
async function recover(person: Planted, code: string): Promise<void> {
  const browser = service.browser();
  const page = await browser.follow(await browser.get(authorizeUrl(webConsole, { scope: 'openid' })));
  const form = await browser.get(`/t/${tenant}/login/recover?i=${hiddenFields(page).i}`);
  const link = await browser.follow(await browser.submit(form, { username: person.userName, code }));
  await browser.follow(await browser.submit(link, { password: plantedPassword, repeated: plantedPassword }));
}

async function changePassword(person: Planted, present: string, next: string): Promise<void> {
  const browser = service.browser();
  const login = await browser.follow(await browser.get(`${accountPath}/password`));
  const form = { username: person.userName, password: present, action: 'sign-in' };
  const page = await browser.follow(await browser.submit(login, form));
  const done = await browser.follow(await browser.submit(page, { present, password: next, repeated: next }));
  expect(done.url).toContain('done=1');
}

/** Creates an issuer that asserts the user; returns a function that reports the scopes of its assertions. */
async function partnership(person: Planted, binder: string) {
  await service.deps.subjects.find(tenant, person.id);
  const partner = await Signatory.create(`https://${person.userName}.example`);
  const client = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: [bearerGrant],
    redirect_uris: [],
    scope: everything.join(' '),
  });
  const { deps } = service;
  const issuers = new TrustedIssuers({ ...deps, allowPrivate: true, clock: deps.kit.clock });
  const issuer = await issuers.create(tenant, {
    name: 'Partner',
    issuer: partner.issuer,
    jwks: partner.jwks,
    clientIds: [client.clientId],
    scopes: ['openid', ...everything],
  });
  const bound = await asking.ask(
    `mutation ($input: BindIssuerSubjectInput!) { bindIssuerSubject(input: $input) { issuerSubject { id } } }`,
    { input: { trustedIssuerId: issuer.id, subject: 'anna', userId: person.id } },
    binder,
  );
  expect(bound.errors).toBeUndefined();
  return {
    async scopes(): Promise<string[]> {
      const { body } = await token(service, client, {
        grant_type: bearerGrant,
        client_secret: client.secret ?? '',
        assertion: await partner.assertion({ aud: service.deps.issuer(tenant), sub: 'anna' }),
      });
      return (body.scope ?? '').split(' ').filter((name) => everything.includes(name));
    },
  };
}
