import { afterAll, beforeAll } from '@jest/globals';
import { type Harness, type Json, startDirectory, type TenantClient, tenantClient } from './harness.ts';

export let harness: Harness;
export let acme: TenantClient;
export let rival: TenantClient;
export let admin: string;
export let rivalAdmin: string;

export const everything = [
  'users:read',
  'users:write',
  'groups:read',
  'groups:write',
  'tenants:read',
  'audit:read',
] as const;

/** Starts a directory, with an administrator's client in each of two tenants. */
export function setUpGraph(): void {
  beforeAll(async () => {
    harness = await startDirectory();
    acme = tenantClient(harness, await harness.tenant());
    rival = tenantClient(harness, await harness.tenant());
    admin = harness.issuer.token(acme.tenant, { clientId: 'admin-app', scopes: everything });
    rivalAdmin = harness.issuer.token(rival.tenant, { clientId: 'rival-app', scopes: everything });
  });
  afterAll(() => harness.stop());
}

let counter = 0;

export const user = async (resource: object = {}): Promise<Json> =>
  (await acme.create('Users', { userName: `graph${++counter}`, ...resource })).body;

export const group = async (members: string[] = [], displayName = `group${++counter}`): Promise<Json> =>
  (await acme.create('Groups', { displayName, members: members.map((value) => ({ value })) })).body;

export const ask = async (
  query: string,
  variables: object = {},
  token: string | undefined = admin,
): Promise<Json> => (await harness.graph(query, variables, token)).body;

export const codes = (body: Json): string[] =>
  (body.errors ?? []).map((error: Json) => error.extensions.code);

export const people = `query People($first: Int!, $after: String, $filter: String) {
  users(first: $first, after: $after, filter: $filter) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { id userName displayName active emails { value type primary } groups { id displayName } } } } }`;

/** Returns the codes of the problems in the mutations of a response. */
export const problems = (body: Json): string[] =>
  Object.values<Json>(body.data ?? {}).flatMap((payload) => payload.problems.map(({ code }: Json) => code));
