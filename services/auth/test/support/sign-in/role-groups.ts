import { afterAll, beforeAll } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { RoleProjection } from '../../../src/access/roles/domain/role-projection.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import { closeAccessPaths, roleRemoved } from '../../../src/lifecycle/offboarding/domain/departure.ts';
import { directoryGroups } from '../../../src/tenancy/users/domain/directory-groups.ts';
import { type Asking, codesOf, type GraphAnswer, startAsking } from './asking.ts';
import { redeem, selfService, signInAndAllow, type TestService, tenant } from './service.ts';

export const everything = Object.keys(apiScopes);

export let service: TestService;
export let asking: Asking;
/** App that users sign in to, with every scope. */
export let webConsole: Client;
/** Token of an app with every scope of the API. */
export let all: string;

/** Starts the service with an app for users, and an app with every scope. */
export function setUpRoleGroups(): void {
  beforeAll(async () => {
    asking = await startAsking();
    service = asking.service;
    const scope = ['openid', 'offline_access', selfService, ...everything].join(' ');
    webConsole = await service.client({ require_consent: false, scope });
    all = await asking.machine(everything.join(' '));
  });
  afterAll(() => service?.stop());
}

export interface SignedIn {
  id: string;
  userName: string;
  accessToken: string;
  refreshToken: string;
  /** Scopes of the API only. */
  scopes: string[];
}

export async function signIn(person: { id: string; userName: string }): Promise<SignedIn> {
  const scope = ['openid', 'offline_access', selfService, ...everything].join(' ');
  const callback = await signInAndAllow(service.browser(), webConsole, person.userName, { scope });
  const { body } = await redeem(service, webConsole, callback);
  const scopes = (body.scope ?? '').split(' ').filter((name) => everything.includes(name));
  const { access_token: accessToken = '', refresh_token: refreshToken = '' } = body;
  return { id: person.id, userName: person.userName, accessToken, refreshToken, scopes };
}

/** Assigns a role to a group; returns the error codes. */
export async function give(
  groupId: string,
  role = 'HELP_DESK',
  o: { as?: string; managedBySources?: boolean } = {},
): Promise<string[] | undefined> {
  const { as = all, managedBySources = false } = o;
  return codesOf(
    await asking.ask(
      `mutation ($input: AssignGroupRoleInput!) { assignGroupRole(input: $input) { group { id roles } } }`,
      { input: { groupId, role, managedBySources } },
      as,
    ),
  );
}

export async function take(groupId: string, role = 'HELP_DESK', as = all): Promise<string[] | undefined> {
  return codesOf(
    await asking.ask(
      `mutation ($input: RemoveGroupRoleInput!) { removeGroupRole(input: $input) { group { id } } }`,
      { input: { groupId, role } },
      as,
    ),
  );
}

/** Returns the roles of a user through groups, as `group role`. */
export async function holdings(subjectId: string, of = tenant): Promise<string[]> {
  const { rows } = await service.deps.database.sql.query<{ held: string }>(
    `SELECT group_id || ' ' || role AS held FROM auth.group_role_holders WHERE tenant = $1 AND subject_id = $2 ORDER BY 1`,
    [of, subjectId],
  );
  return rows.map(({ held }) => held);
}

/** Reports whether no question to the directory is pending. */
export async function isSettled(of = tenant): Promise<boolean> {
  const { rowCount } = await service.deps.database.sql.query(
    'SELECT 1 FROM auth.membership_checks WHERE tenant = $1',
    [of],
  );
  return rowCount === 0;
}

/** Returns the same service as another process for the same tenants. */
export function otherProcess(): RoleProjection {
  return new RoleProjection({
    ...service.deps,
    directory: directoryGroups(service.deps.directory),
    departure: {
      ...service.deps,
      endIssuedForApis: (...of) => service.deps.apiGrantEnds.endIssued(...of),
      endIssued: async (tx, of, id) =>
        (await closeAccessPaths(tx, of, id, roleRemoved, service.deps.departure)).revocations,
    },
  });
}

export const rolesQuery = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  ... on User { roles roleSources { role direct groups { id } } } ... on Group { roles roleGrants { role managedBySources } } } }`;

export const readRoles = (type: 'User' | 'Group', id: string, as = all): Promise<GraphAnswer> =>
  asking.ask(rolesQuery, { representations: [{ __typename: type, id }] }, as);
