import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import {
  mayActOn,
  mayGiveRole,
  type Role,
  roles,
  scopesOfRoles,
} from '../../../src/access/roles/domain/roles.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

const everything = Object.keys(apiScopes);

let service: TestService;
let webConsole: Client;
/** App with every scope of the API. */
let all: string;

beforeAll(async () => {
  service = await startTestService();
  webConsole = await service.client({
    require_consent: false,
    scope: ['openid', 'offline_access', ...everything].join(' '),
  });
  all = await machine(everything);
});
afterAll(() => service.stop());

async function machine(scopes: readonly string[]): Promise<string> {
  const client = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: scopes.join(' '),
  });
  const { body } = await token(service, client, {
    grant_type: 'client_credentials',
    client_secret: client.secret ?? '',
  });
  return body.access_token ?? '';
}

/** Returns the error codes; empty on success. */
async function ask(accessToken: string, document: string, id: string): Promise<string[]> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query: `mutation ($id: ID!) { ${document} { __typename } }`, variables: { id } }),
  });
  const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors.map((error) => error.extensions.code);
}

const assign = (role: string) => `assignRole(input: { userId: $id, role: ${role} })`;
const remove = (role: string) => `removeRole(input: { userId: $id, role: ${role} })`;
const reset = 'resetUserAccess(input: { userId: $id })';
const endSessions = 'revokeAllSessions(input: { userId: $id })';

interface SignedIn {
  id: string;
  accessToken: string;
  refreshToken: string;
  scopes: Set<string>;
}

async function signIn(person: { id: string; userName: string }): Promise<SignedIn> {
  const scope = ['openid', 'offline_access', ...everything].join(' ');
  const callback = await signInAndAllow(service.browser(), webConsole, person.userName, { scope });
  const { body } = await redeem(service, webConsole, callback);
  return {
    id: person.id,
    accessToken: body.access_token ?? '',
    refreshToken: body.refresh_token ?? '',
    scopes: new Set(body.scope?.split(' ')),
  };
}

async function employ(userName: string, role?: Role): Promise<SignedIn> {
  const person = await service.person(userName);
  if (role) await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role });
  return signIn(person);
}

const apiScopesOf = ({ scopes }: SignedIn): string[] => everything.filter((scope) => scopes.has(scope));

describe('scopes of roles', () => {
  test('The help desk role covers users, groups, sessions and access resets, but no roles, clients or keys.', () => {
    expect([...scopesOfRoles(['help_desk'])].sort()).toEqual(
      ['access:write', 'groups:read', 'sessions:read', 'sessions:write', 'users:read'].sort(),
    );
  });

  test('The auditor role has every read scope and no write scope.', () => {
    expect([...scopesOfRoles(['auditor'])]).toEqual(everything.filter((scope) => scope.endsWith(':read')));
  });

  test('The scopes of each role match the documentation.', () => {
    const text = readFileSync(new URL('../../../../../docs/reference/roles.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| `((?!self:)[a-z]+[:.][a-z]+)` \|(.*)\|$/gm)];
    expect(rows.map(([, scope]) => scope)).toEqual(everything);
    for (const [, scope = '', cells = ''] of rows) {
      const held = cells.split('|').map((cell) => cell.includes('✓'));
      expect([scope, ...held]).toEqual([scope, ...roles.map((role) => scopesOfRoles([role]).has(scope))]);
    }
  });

  test('The scopes of several roles add up, and an unknown role adds none.', () => {
    expect(scopesOfRoles(['help_desk', 'auditor', 'constructor']).size).toBe(
      new Set([...scopesOfRoles(['help_desk']), ...scopesOfRoles(['auditor'])]).size,
    );
    expect(scopesOfRoles(['toString', 'operator', '']).size).toBe(0);
  });

  test('A user who signs in gets the scopes of their roles and no others.', async () => {
    expect(apiScopesOf(await employ('plain'))).toEqual([]);
    for (const role of roles) {
      expect(new Set(apiScopesOf(await employ(`holder-${role}`, role)))).toEqual(scopesOfRoles([role]));
    }
  });
});

describe('assigning roles', () => {
  test('Assigning a role requires every scope of the role and roles:write.', () => {
    for (const role of roles) {
      expect(mayGiveRole(new Set(everything), role)).toBe(true);
      for (const missing of [...scopesOfRoles([role]), 'roles:write']) {
        expect(mayGiveRole(new Set(everything.filter((scope) => scope !== missing)), role)).toBe(false);
      }
    }
  });

  test('A caller cannot assign or remove a role with more scopes than their own.', async () => {
    const { id } = await service.person('candidate');
    const weak = await machine([
      'roles:write',
      'users:read',
      'groups:read',
      'sessions:read',
      'sessions:write',
    ]);
    for (const role of ['TENANT_ADMIN', 'HELP_DESK', 'AUDITOR']) {
      expect(await ask(weak, assign(role), id)).toEqual(['FORBIDDEN']);
      expect(await ask(weak, remove(role), id)).toEqual(['FORBIDDEN']);
    }
    const enough = await machine(['roles:write', ...scopesOfRoles(['help_desk'])]);
    expect(await ask(enough, assign('HELP_DESK'), id)).toEqual([]);
    expect(await ask(enough, assign('AUDITOR'), id)).toEqual(['FORBIDDEN']);
    expect(await ask(all, assign('AUDITOR'), id)).toEqual([]);
    // A user with more roles than help desk is out of reach for a caller with fewer scopes.
    expect(await ask(enough, remove('HELP_DESK'), id)).toEqual(['FORBIDDEN']);
    expect(await ask(all, remove('HELP_DESK'), id)).toEqual([]);
  });

  test('Help desk and auditor cannot assign any role, not even to themselves.', async () => {
    for (const role of ['help_desk', 'auditor'] as const) {
      const holder = await employ(`ambitious-${role}`, role);
      for (const wanted of ['TENANT_ADMIN', 'HELP_DESK', 'AUDITOR']) {
        expect(await ask(holder.accessToken, assign(wanted), holder.id)).toEqual(['FORBIDDEN']);
      }
    }
  });
});

describe('removing roles', () => {
  test('Removing a role ends every token with its scopes immediately, and the next token has none of them.', async () => {
    const holder = await employ('demoted', 'help_desk');
    expect(await userinfoStatus(service, holder.accessToken)).toBe(200);
    expect(await ask(all, remove('HELP_DESK'), holder.id)).toEqual([]);
    expect(await userinfoStatus(service, holder.accessToken)).toBe(401);
    const refreshed = await token(service, webConsole, {
      grant_type: 'refresh_token',
      refresh_token: holder.refreshToken,
    });
    expect(refreshed.body.error).toBe('invalid_grant');
    expect(apiScopesOf(await signIn({ id: holder.id, userName: 'demoted' }))).toEqual([]);
  });

  test('Removing a role keeps the scopes of another role.', async () => {
    const holder = await employ('both', 'help_desk');
    expect(await ask(all, assign('AUDITOR'), holder.id)).toEqual([]);
    expect(await ask(all, remove('HELP_DESK'), holder.id)).toEqual([]);
    expect(new Set(apiScopesOf(await signIn({ id: holder.id, userName: 'both' })))).toEqual(
      scopesOfRoles(['auditor']),
    );
  });

  test('Removing a role during twenty refreshes leaves no token with its scopes.', async () => {
    const holder = await employ('racing', 'help_desk');
    const refresh = () =>
      token(service, webConsole, { grant_type: 'refresh_token', refresh_token: holder.refreshToken });
    const [, ...answers] = await Promise.all([
      ask(all, remove('HELP_DESK'), holder.id),
      ...Array.from({ length: 20 }, refresh),
    ]);
    for (const { body } of answers) {
      if (body.access_token) expect(await userinfoStatus(service, body.access_token)).toBe(401);
    }
  });
});

describe('users with a role', () => {
  test('A user with a role is protected from callers who could not assign that role.', () => {
    const helpDesk = scopesOfRoles(['help_desk']);
    expect(mayActOn(helpDesk, [])).toBe(true);
    for (const role of roles) expect(mayActOn(helpDesk, [role])).toBe(false);
    expect(mayActOn(new Set(everything), [...roles])).toBe(true);
    // A role that only a newer version defines.
    expect(mayActOn(helpDesk, ['from tomorrow'])).toBe(false);
  });

  test('A help desk ends sessions and resets access of users without a role only.', async () => {
    const desk = await employ('desk', 'help_desk');
    const person = await employ('customer');
    expect(await ask(desk.accessToken, reset, person.id)).toEqual([]);
    expect(await ask(desk.accessToken, endSessions, person.id)).toEqual([]);
    expect(await userinfoStatus(service, person.accessToken)).toBe(401);
    for (const role of roles) {
      const other = await employ(`untouchable-${role}`, role);
      expect(await ask(desk.accessToken, reset, other.id)).toEqual(['FORBIDDEN']);
      expect(await ask(desk.accessToken, endSessions, other.id)).toEqual(['FORBIDDEN']);
      // The database treats upper-case ids as equal. The session must stay (see below).
      await ask(desk.accessToken, endSessions, other.id.toUpperCase());
      expect(await ask(desk.accessToken, 'inviteUser(input: { userId: $id })', other.id)).toEqual([
        'FORBIDDEN',
      ]);
      const session = await sessionOf(other.id);
      expect(await ask(desk.accessToken, 'revokeSession(input: { id: $id })', session)).toEqual([
        'FORBIDDEN',
      ]);
      expect(await userinfoStatus(service, other.accessToken)).toBe(200);
    }
    // A user may end their own sessions.
    expect(await ask(desk.accessToken, endSessions, desk.id)).toEqual([]);
  });

  test('A token with roles:write alone cannot act on an administrator.', async () => {
    const chief = await employ('chief', 'tenant_admin');
    const weak = await machine(['roles:write', 'users:write', 'access:write', 'sessions:write']);
    for (const document of [reset, endSessions, remove('TENANT_ADMIN')]) {
      expect(await ask(weak, document, chief.id)).toEqual(['FORBIDDEN']);
    }
    expect(await userinfoStatus(service, chief.accessToken)).toBe(200);
  });

  test('A pending access reset ends when its user is assigned a role.', async () => {
    const desk = await employ('sly', 'help_desk');
    const { id } = await service.person('promoted');
    expect(await ask(desk.accessToken, reset, id)).toEqual([]);
    expect(await ask(all, assign('TENANT_ADMIN'), id)).toEqual([]);
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.invitations WHERE tenant = $1 AND subject_id = $2',
      [tenant, id],
    );
    expect(rowCount).toBe(0);
  });

  async function sessionOf(subject: string): Promise<string> {
    const { rows } = await service.deps.database.sql.query<{ id: string }>(
      'SELECT id FROM auth.sessions WHERE tenant = $1 AND subject_id = $2 LIMIT 1',
      [tenant, subject],
    );
    return rows[0]?.id ?? '';
  }
});
