import { openJob } from '@ostiary/events';
import { keyRing, Signatures } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { RoleStory } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, type SignedIn, signIn } from '../support/sign-in.ts';
import { Attacker } from './attacker.ts';

/** Revoked access, which must stay revoked for any state of Redis. */
export interface ClosedDoor {
  name: string;
  isOpen(): Promise<boolean>;
}

export interface World {
  own: OwnSystem;
  tenant: DemoTenant;
  attacker: Attacker;
  database: pg.Client;
  scim: ScimClient;
  admin: string;
  closed: readonly ClosedDoor[];
  /** User whose password is guessed. */
  guessed: DemoUser;
  /** Ids whose access was revoked: users, a group and a tenant. */
  gone: { person: string; deleted: string; holder: string; group: string; tenant: string };
  pids: readonly (number | undefined)[];
  stop(o?: { unsound?: boolean }): Promise<void>;
}

/** Returns the statuses of a token at every protected resource: the graph, SCIM, userinfo. */
export const statusesOf = async (
  own: Pick<OwnSystem, 'demo'>,
  tenant: DemoTenant,
  token: string,
): Promise<number[]> =>
  Promise.all([
    graph(own.demo, token, '{ __typename }').then(({ status }) => status),
    new ScimClient(tenant, token).call('GET', '/Me').then(({ status }) => status),
    fetch(`${tenant.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    ),
  ]);

const isIn = async (own: OwnSystem, tenant: DemoTenant, token: string): Promise<boolean> =>
  (await statusesOf(own, tenant, token)).some((status) => status === 200);

/** Reports whether the earlier refresh token is accepted. */
async function refreshes(tenant: DemoTenant, { tokens }: SignedIn): Promise<boolean> {
  const response = await fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: tenant.clients.web.client_id,
    }),
  });
  return response.status === 200;
}

async function operatorToken({ system, demo }: OwnSystem): Promise<string> {
  const pair = Buffer.from(`operator:${system.secrets.OPERATOR_CLIENT_SECRET}`).toString('base64');
  const response = await fetch(`${system.urls.auth}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: `${demo.origin}/graphql` }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no token for the operator: ${response.status} ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

const active = (value: boolean) => [{ op: 'replace', path: 'active', value }];

/** Signatures with the key of the services. */
export const eventKeysOf = ({ system }: OwnSystem): Signatures =>
  new Signatures(keyRing(Buffer.from(system.secrets.EVENT_KEY, 'base64url')));

/** Creates a user with a password through an identity source. */
async function employ(scim: ScimClient): Promise<{ id: string; user: DemoUser }> {
  const user = { userName: unique('person'), password: unique('a long and private sentence') };
  return { ...(await scim.createUser({ ...user })), user };
}

/** Creates a user with a role from a nested group, who has signed in with it. */
async function roleByGroup(own: OwnSystem, tenant: DemoTenant) {
  const story = await RoleStory.begin(own.demo, tenant);
  const { inner, outer } = await story.nestedGroups();
  const holder = await story.employ();
  await story.add(inner, holder.id);
  await story.give(outer, { managedBySources: true });
  const held = await story.signInWithRole(holder);
  return { story, inner, holder, held };
}

/** Creates a tenant as the operator, and suspends, resumes and suspends another. */
async function suspendRival(own: OwnSystem): Promise<void> {
  const operator = await operatorToken(own);
  const changes = [
    'createTenant(input: { id: "made", name: "Made" })',
    ...['suspendTenant', 'resumeTenant', 'suspendTenant'].map(
      (change) => `${change}(input: { id: "rival" })`,
    ),
  ];
  for (const change of changes) {
    const { errors } = await graph(own.demo, operator, `mutation { ${change} { tenant { status } } }`);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  }
}

interface Ended {
  left: SignedIn;
  removed: SignedIn;
  held: SignedIn;
  connector: { isOpen(): Promise<boolean> };
  /** Token of the other tenant's administration client. */
  rivals: string;
}

function closedAccessPaths(own: OwnSystem, { left, removed, held, connector, rivals }: Ended): ClosedDoor[] {
  const { demo: tenant, rival } = own.demo.tenants;
  return [
    { name: 'token of somebody deactivated', isOpen: () => isIn(own, tenant, left.tokens.access_token) },
    { name: 'refresh token of somebody deactivated', isOpen: () => refreshes(tenant, left) },
    { name: 'token of somebody deleted', isOpen: () => isIn(own, tenant, removed.tokens.access_token) },
    {
      name: 'token of a role that ended with a group',
      isOpen: () => isIn(own, tenant, held.tokens.access_token),
    },
    { name: 'connector whose owner left', isOpen: () => connector.isOpen() },
    { name: 'token of a tenant that is suspended', isOpen: () => isIn(own, rival, rivals) },
    {
      name: 'client of a tenant that is suspended',
      isOpen: () =>
        adminToken(rival).then(
          () => true,
          () => false,
        ),
    },
  ];
}

/** Starts a system, revokes access in it, and connects an attacker to its Redis. */
export async function createWorld(): Promise<World> {
  // A separate system, because the test suspends a tenant.
  const own = await ownSystem({ fresh: true });
  const keys = eventKeysOf(own);
  const attacker = new Attacker(own.system.redisUrl, (queue, data) =>
    openJob(keys, queue.replace('events-', ''), data),
  );
  await attacker.listen();
  const database = new pg.Client({ connectionString: own.system.databaseUrl });
  await database.connect();
  const { demo: tenant, rival } = own.demo.tenants;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const admin = await adminToken(tenant);
  const [person, deleted, guessed] = [await employ(scim), await employ(scim), await employ(scim)];
  const [left, removed] = await Promise.all([
    signIn(own.demo, tenant, person.user),
    signIn(own.demo, tenant, deleted.user),
  ]);

  const { story, inner, holder, held } = await roleByGroup(own, tenant);
  const connector = await connectorOf(own, admin);
  const rivals = await adminToken(rival);

  // All access is revoked, some of it after a reactivation.
  for (const value of [false, true, false]) await scim.patch(`/Users/${person.id}`, active(value));
  await scim.patch(`/Users/${deleted.id}`, [
    { op: 'replace', path: 'password', value: unique('another long and private sentence') },
  ]);
  await scim.call('DELETE', `/Users/${deleted.id}`);
  await scim.patch(`/Groups/${inner}`, [{ op: 'remove', path: `members[value eq "${holder.id}"]` }]);
  const other = await scim.call('POST', '/Groups', story.group([]));
  await scim.call('DELETE', `/Groups/${other.body.id}`);
  await scim.patch(`/Users/${connector.owner}`, active(false));
  await suspendRival(own);

  const closed = closedAccessPaths(own, { left, removed, held, connector, rivals });
  for (const { isOpen } of closed) await eventually(async () => !(await isOpen()));
  attacker.listenNoMore();
  const processes = ['auth', 'directory', 'provisioning', 'gateway'];
  return {
    own,
    tenant,
    attacker,
    database,
    scim,
    admin,
    closed,
    guessed: guessed.user,
    gone: { person: person.id, deleted: deleted.id, holder: holder.id, group: inner, tenant: 'rival' },
    pids: await Promise.all(processes.map((name) => own.system.pid(name))),
    async stop(o) {
      attacker.stop();
      await database.end();
      await own.stop(o);
    },
  };
}

/** Creates a connector of a user who may manage connectors. */
async function connectorOf(own: OwnSystem, admin: string) {
  const { demo: tenant } = own.demo.tenants;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const owner = await scim.createUser({ userName: unique('manager') });
  await graph(
    own.demo,
    admin,
    'mutation ($input: RoleInput!) { assignRole(input: $input) { user { id } } }',
    {
      input: { userId: owner.id, role: 'TENANT_ADMIN' },
    },
  );
  const { data, errors } = await graph(
    own.demo,
    admin,
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token problems { message } } }',
    { input: { name: unique('HR'), ownerId: owner.id } },
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const client = new ScimClient(tenant, data.createConnector.token);
  return {
    owner: owner.id,
    isOpen: async () => (await client.call('GET', '/Users?count=1')).status === 200,
  };
}

/** Rows that give access or rights, as the services store them. */
const rights = `
  SELECT 'person ' || tenant || ' ' || id FROM auth.subjects WHERE active AND NOT deleted
  UNION ALL SELECT 'password ' || subject_id || ' ' || md5(hash) FROM auth.credentials WHERE activated_at IS NOT NULL AND replaced_at IS NULL
  UNION ALL SELECT 'role ' || subject_id || ' ' || role FROM auth.role_assignments
  UNION ALL SELECT 'role of a group ' || group_id || ' ' || role FROM auth.group_roles
  UNION ALL SELECT 'role by a group ' || subject_id || ' ' || group_id || ' ' || role FROM auth.group_role_holders
  UNION ALL SELECT 'tenant ' || id || ' ' || policy::text FROM auth.tenants WHERE status = 'active'
  UNION ALL SELECT 'session ' || id FROM auth.sessions WHERE revoked_at IS NULL
  UNION ALL SELECT 'grant ' || id FROM auth.grants WHERE revoked_at IS NULL
  UNION ALL SELECT 'owner ' || o::text FROM auth.credential_owners o
  UNION ALL SELECT 'owner of a connector ' || (to_jsonb(o) - 'updated_at')::text FROM auth.connector_owners o
  UNION ALL SELECT 'tenant of provisioning ' || id FROM provisioning.tenants WHERE status = 'active'
  UNION ALL SELECT 'connector ' || id || ' ' || rules::text || ' ' || coalesce(owner_id::text, '') FROM provisioning.connectors WHERE status = 'active'
  UNION ALL SELECT 'token of a connector ' || id FROM provisioning.connector_tokens`;

/** Returns every right in the databases. */
export async function rightsIn({ database }: Pick<World, 'database'>): Promise<string[]> {
  const { rows } = await database.query<{ '?column?': string }>({ text: rights });
  return rows.map((row) => row['?column?']).toSorted();
}

/** Returns the names of access that is no longer revoked. */
export async function reopened(world: World): Promise<string[]> {
  const open = await Promise.all(
    world.closed.map(async ({ name, isOpen }) => ((await isOpen()) ? [name] : [])),
  );
  return open.flat();
}
