import { eventually } from '@ostiary/service/testing';
import type { Demo, DemoTenant } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { type Belongings, makeBelongings } from './belongings.ts';
import { type Change, type Furniture, furnish } from './furniture.ts';
import { allScopes, type NewTenant, newTenant, operatorAt } from './new-tenant.ts';
import { clientToken, type Processes, post, processes } from './processes.ts';
import {
  createOffboarded,
  employStaff,
  giveApiRoles,
  makeGroups,
  type Person,
  type Staff,
  type StaffTokens,
  signInStaff,
  tokenOf,
} from './staff.ts';

/** A caller of the test. */
export interface Actor {
  name: string;
  /** undefined: anonymous. */
  token?: string;
  /** User id, if the caller is a user. */
  id?: string;
}

/** A tenant with one object of each kind, and all callers. */
export interface World {
  demo: Demo;
  urls: Processes;
  tenant: DemoTenant & { id: string };
  actors: readonly Actor[];
  /** Callers with invalid tokens. */
  refused: readonly Actor[];
  /** All users with a token, and one other user. */
  people: Readonly<Record<'other' | 'user' | 'helpDesk' | 'auditor' | 'tenantAdmin', Person>>;
  connectorToken: string;
  rivalAdmin: Actor;
  ids: Readonly<
    Record<
      | 'user'
      | 'administrator'
      | 'departed'
      | 'group'
      | 'privilegedGroup'
      | 'client'
      | 'api'
      | 'serviceAccount'
      | 'connector'
      | 'schema'
      | 'logEntry'
      | 'connectorLogEntry'
      | 'signalStream'
      | 'webhook'
      | 'delivery'
      | 'securityEvent',
      string
    >
  >;
  /**
   * One object of each kind of this tenant, and of the other tenant. User objects belong to a user who is not a caller.
   */
  ours: Belongings;
  foreign: Belongings;
}

/** Returns a function that executes mutations with a token. */
const changesWith =
  (demo: Demo, token: string): Change =>
  async <T>(document: string, variables: Record<string, unknown>): Promise<T> => {
    const answer = await graph(demo, token, document, variables);
    if (answer.errors.length > 0) throw new Error(`${document}: ${JSON.stringify(answer.errors)}`);
    return Object.values(answer.data)[0] as T;
  };

/**
 * Returns all callers: anonymous, users by role, clients with each scope, without and with all scopes, and the
 * operator.
 */
async function makeActors(
  { demo, urls, made, furniture }: Site,
  people: Staff,
  tokens: StaffTokens,
): Promise<Actor[]> {
  const operator = operatorAt(urls);
  const single = await Promise.all(
    allScopes.map(async (scope) => ({
      name: `app:${scope}`,
      token: await clientToken(made.issuer, made.admin, { scope }),
    })),
  );
  const { client, clientSecret } = furniture.bare;
  const bare = { client_id: client.id, client_secret: clientSecret };
  return [
    { name: 'anonymous' },
    ...(['user', 'helpDesk', 'auditor', 'tenantAdmin'] as const).map((name) => ({
      name,
      token: tokens[name],
      id: people[name].id,
    })),
    { name: 'app:', token: await clientToken(made.issuer, bare) },
    ...single,
    { name: 'app:*', token: made.token },
    // The first manages tenants and belongs to none, the second acts in this tenant.
    { name: 'platform', token: await operator(`${demo.origin}/graphql`) },
    { name: 'platform:tenant', token: await operator(`${made.issuer}/graphql`) },
  ];
}

async function makeRefused(
  { demo, made, tenant, furniture }: Site,
  people: Staff,
  { tenantAdmin }: StaffTokens,
): Promise<Actor[]> {
  const revoked = await tokenOf(demo, tenant, people.other);
  await fetch(`${made.issuer}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: furniture.web.client.id, token: revoked }),
  });
  const [header, payload = '', signature] = tenantAdmin.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), exp: 1 };
  const expired = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
  return [
    { name: 'revoked token', token: revoked },
    { name: 'expired token', token: expired },
    { name: 'platform client', token: made.internal.auth },
    { name: 'platform client for this service', token: made.internal.directory },
    { name: 'connector token', token: furniture.connector.token },
  ];
}

/** Waits for entries of each log. Provisioning receives users by events and writes its log in batches. */
async function findEntries(
  { demo, made }: Site,
  person: Person,
): Promise<Record<'logEntry' | 'connectorLogEntry' | 'securityEvent', string>> {
  const { data } = await eventually(
    () =>
      graph(
        demo,
        made.token,
        `query ($id: ID!) { user(id: $id) { provisioning { externalId } } provisioningLog(first: 1) { edges { node { id } } } connectorLog(first: 1) { edges { node { id } } } securityLog(first: 1) { edges { node { id } } } }`,
        { id: person.id },
      ),
    ({ data }) => data?.user?.provisioning?.length > 0 && data.provisioningLog?.edges.length > 0,
  );
  return {
    logEntry: data.provisioningLog.edges[0].node.id,
    connectorLogEntry: data.connectorLog.edges[0].node.id,
    securityEvent: data.securityLog.edges[0].node.id,
  };
}

/** The tenant before it has users. */
interface Site {
  demo: Demo;
  urls: Processes;
  made: NewTenant;
  tenant: DemoTenant & { id: string };
  furniture: Furniture;
  change: Change;
}

async function makeSite(demo: Demo, id: string): Promise<Site> {
  const urls = processes(demo);
  const actor = { kind: 'service', id: 'operator', name: 'operator' };
  const made = await newTenant(demo.origin, urls, { id, name: 'Matrix', actor });
  const change = changesWith(demo, made.token);
  const furniture = await furnish(change, id, { issuer: made.issuer, administration: made.admin.client_id });
  const { clients, users } = demo.tenants.demo;
  const web = { client_id: furniture.web.client.id, redirect_uris: [] };
  const scim = `${made.issuer}/scim/v2`;
  const tenant = { id, issuer: made.issuer, scim, clients: { ...clients, admin: made.admin, web }, users };
  return { demo, urls, made, tenant, furniture, change };
}

/** Creates the users of the tenant and their objects. */
async function populate(site: Site) {
  const { demo, urls, made, tenant, furniture, change } = site;
  const scim = new ScimClient(tenant, furniture.connector.token);
  const people = await employStaff(scim, tenant.id, { urls, operator: made.internal.auth });
  const groups = await makeGroups(scim, tenant.id, change, people);
  const holders = { userId: people.user.id, groupId: groups.privilegedGroup };
  await giveApiRoles(change, furniture.api, holders);
  const tokens = await signInStaff(demo, tenant, people);
  const departed = await createOffboarded(scim, demo, tenant, {
    token: made.token,
    ownerId: people.administrator.id,
    change,
  });
  const stream = await post<{ stream_id: string }>(`${made.issuer}/ssf/stream`, made.token, {
    description: 'Payroll',
    events_requested: ['https://schemas.openid.net/secevent/caep/event-type/credential-change'],
  });
  const refused = await makeRefused(site, people, tokens);
  const actors = await makeActors(site, people, tokens);
  const entries = await findEntries(site, people.tenantAdmin);
  const ids = { ...groups, ...entries, departed: departed.id, signalStream: stream.stream_id };
  return { people, refused, actors, ids };
}

/** Creates a new tenant, without objects of other tests. */
export async function createWorld(demo: Demo): Promise<World> {
  const suffix = Date.now().toString(36);
  const { rival } = demo.tenants;
  const rivalToken = await adminToken(rival);
  const elsewhere = makeBelongings(demo, rival, { id: 'rival', token: rivalToken, name: `rival-${suffix}` });
  elsewhere.catch(() => undefined);
  const site = await makeSite(demo, `matrix-${suffix}`);
  const { urls, tenant, made, furniture } = site;
  const { connector, powerless, schema, serviceAccount, webhook, delivery } = furniture;
  const source = { ...tenant.clients.scim, token: connector.token };
  const ours = await makeBelongings(
    demo,
    { ...tenant, clients: { ...tenant.clients, scim: source } },
    { id: tenant.id, token: made.token, name: `ours-${suffix}` },
  );
  const { people: staff, refused, actors, ids } = await populate(site);
  const { administrator, ...people } = staff;
  return {
    demo,
    urls,
    tenant,
    actors,
    refused,
    people,
    connectorToken: connector.token,
    rivalAdmin: { name: 'rivalAdmin', token: rivalToken },
    ids: {
      ...ids,
      user: people.other.id,
      administrator: administrator.id,
      client: powerless.client.id,
      serviceAccount,
      webhook,
      delivery,
      connector: connector.connector.id,
      schema,
      api: furniture.api,
    },
    ours,
    foreign: await elsewhere,
  };
}
