import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Authenticator, passkeyOptions } from './authenticator.ts';
import type { Answer, Browser } from './browser.ts';
import { all, asking, everything, give, readRoles, service, webConsole } from './role-groups.ts';
import { appCode, laterStep } from './second-step.ts';
import { authorizeUrl, password, redeem, selfService, signIn, tenant, token } from './service.ts';

export interface Planted {
  id: string;
  userName: string;
}

/** Known to the party that planted it. */
export const plantedPassword = 'planted before the role came';

const scope = ['openid', 'offline_access', selfService, ...everything].join(' ');

/** Scopes of the API that an app gets, and its refresh token. */
export interface Reach {
  scopes: string[];
  accessToken: string;
  refreshToken: string;
}

function reachOf({ body }: Awaited<ReturnType<typeof token>>): Reach {
  const { scope: given = '', access_token: accessToken = '', refresh_token: refreshToken = '' } = body;
  const scopes = given.split(' ').filter((name) => everything.includes(name));
  return { scopes, accessToken, refreshToken };
}

/** Signs in to an app with the password, and with a code if requested. */
export async function enter(
  userName: string,
  o: { password?: string; code?: () => string; browser?: Browser } = {},
): Promise<Reach> {
  const browser = o.browser ?? service.browser();
  let answer = await signIn(browser, webConsole, userName, {
    fields: { scope },
    password: o.password ?? password,
  });
  if (o.code) {
    answer = await browser.follow(await browser.submit(answer, { code: o.code(), action: 'continue' }));
    await laterStep(service);
  }
  return reachOf(await redeem(service, webConsole, new URL(answer.location ?? '')));
}

/** Signs in to an app with a passkey alone. */
export async function enterWithPasskey(authenticator: Authenticator): Promise<Reach> {
  const browser = service.browser();
  const page = await browser.follow(await browser.get(authorizeUrl(webConsole, { scope })));
  const done = await proveWithPasskey(browser, page, authenticator);
  return reachOf(await redeem(service, webConsole, new URL(done.location ?? '')));
}

export async function proveWithPasskey(
  browser: Browser,
  page: Answer,
  authenticator: Authenticator,
): Promise<Answer> {
  const credential = authenticator.get(passkeyOptions(page));
  return browser.follow(await browser.post(`/t/${tenant}/login/passkey`, { ...formOf(page), credential }));
}

export const refresh = async (reach: Reach): Promise<Reach> =>
  reachOf(
    await token(service, webConsole, { grant_type: 'refresh_token', refresh_token: reach.refreshToken }),
  );

/** Returns the hidden fields of the passkey form. */
const formOf = (page: Answer): Record<string, string> => {
  const form = /<form[^>]*data-passkey[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([a-z]+)" value="([^"]*)">/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
};

/** Sets a password as a connector whose caller may assign no role. */
export async function plantPassword(person: Planted, of = tenant, roleScopes?: readonly string[]) {
  const staged = await service.internal(
    'POST',
    `/tenants/${of}/credentials`,
    { subject: person.id, password: plantedPassword, ...(roleScopes && { roleScopes }) },
    'provisioning',
  );
  expect(staged.status).toBe(201);
  await service.internal('POST', `/tenants/${of}/credentials/${staged.body.ticket}/activate`);
}

/** Returns the path of a link that a caller creates for a user. */
export async function linkOf(
  person: Planted,
  caller: string,
  mutation: 'inviteUser' | 'resetUserAccess' = 'inviteUser',
): Promise<string> {
  const answer = await asking.ask(
    `mutation ($id: ID!) { link: ${mutation}(input: { userId: $id }) { url } }`,
    { id: person.id },
    caller,
  );
  const { pathname, search } = new URL(answer.data.link.url);
  return pathname + search;
}

export async function acceptWithPassword(path: string, next = plantedPassword): Promise<Browser> {
  const browser = service.browser();
  const page = await browser.get(path);
  await browser.follow(await browser.submit(page, { password: next, repeated: next }));
  return browser;
}

export async function acceptWithPasskey(path: string): Promise<Authenticator> {
  const browser = service.browser();
  const authenticator = new Authenticator();
  const page = await browser.get(path);
  const credential = authenticator.create(passkeyOptions(page));
  await browser.post(path.split('?')[0] ?? '', { ...formOf(page), credential });
  return authenticator;
}

export const codeOf = (secret: string) => () => appCode(secret);

/** Every source of a role of a user. */
export const roleSources = {
  directly: async (person: Planted) => {
    const answer = await assign(person);
    expect(answer.errors).toBeUndefined();
  },
  'through a group': (person: Planted) => throughGroups(person, 0),
  'through a nested group': (person: Planted) => throughGroups(person, 2),
} satisfies Record<string, (person: Planted) => Promise<void>>;

async function throughGroups(person: Planted, depth: number): Promise<void> {
  let group = service.directory.groups.create(tenant, [person.id]);
  for (let level = 0; level < depth; level += 1) group = service.directory.groups.create(tenant, [group]);
  await service.deps.subjects.find(tenant, person.id);
  expect(await give(group, 'TENANT_ADMIN')).toBeUndefined();
  await eventually(
    () => readRoles('User', person.id),
    ({ data }) => data._entities[0]?.roles?.includes('TENANT_ADMIN') === true,
  );
}

export const assign = (person: Planted, o: { role?: string; requireRenewal?: boolean; as?: string } = {}) =>
  asking.ask(
    `mutation ($input: RoleInput!) { assignRole(input: $input) {
       user { id } notCarriedBy renewalUrl renewalExpiresAt repeated } }`,
    {
      input: {
        userId: person.id,
        role: o.role ?? 'TENANT_ADMIN',
        ...(o.requireRenewal !== undefined && { requireRenewal: o.requireRenewal }),
      },
    },
    o.as ?? all,
  );

/** Returns the sign-in methods of a user that do not carry a role. */
export async function notCarriedBy(person: Planted, role = 'TENANT_ADMIN'): Promise<string[]> {
  const answer = await asking.ask(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) {
       ... on User { roleSources { role notCarriedBy } } } }`,
    { representations: [{ __typename: 'User', id: person.id }] },
    all,
  );
  const sources: { role: string; notCarriedBy: string[] }[] = answer.data._entities[0].roleSources;
  return sources.find((source) => source.role === role)?.notCarriedBy ?? ['no role'];
}
