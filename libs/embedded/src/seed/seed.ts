import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writePrivate } from '../installation/private-file.ts';
import type { System } from '../running-system.ts';
import { StartError } from '../start-error.ts';
import { Operator, type Registered, TenantApi } from './seed-api.ts';

const tenants = { demo: 'Demo', rival: 'Rival' } as const;
const people = {
  admin: { givenName: 'Ada', familyName: 'Admin' },
  alice: { givenName: 'Alice', familyName: 'Archer' },
  bob: { givenName: 'Bob', familyName: 'Baker' },
} as const;

type TenantName = keyof typeof tenants;
type UserName = keyof typeof people;

interface PublicClient {
  client_id: string;
}

interface ConfidentialClient extends PublicClient {
  client_secret: string;
}

export interface DemoTenant {
  issuer: string;
  scim: string;
  clients: {
    admin: ConfidentialClient;
    scim: ConfidentialClient & { token: string };
    web: PublicClient & { redirect_uris: string[] };
    webapp: ConfidentialClient & { redirect_uris: string[] };
    device: PublicClient;
    api: ConfidentialClient;
    /** Service with the scopes of the API of orders, whose tokens it may introspect. Absent in files of version 0.2.0. */
    orders?: ConfidentialClient;
  };
  users: Record<UserName, { userName: string; password: string }>;
}

/** `<home>/demo.json`: all data for trying the demo tenants, including secrets. */
export interface DemoFile {
  origin: string;
  graphql: string;
  /** URL of the console. */
  console: string;
  /** URL of the gateway's operator port. */
  operator: string;
  tenants: Record<TenantName, DemoTenant>;
}

/**
 * Creates the demo tenants through the system's own APIs and writes `<home>/demo.json` (0600). Does nothing
 * if they exist, and completes an interrupted first start.
 */
export async function seedDemo(system: System, log: (message: string) => void): Promise<DemoFile> {
  const path = join(system.home, 'demo.json');
  const operator = new Operator(system);
  const kept = await readJson<DemoFile>(path);
  const existing = await operator.tenants();
  const names = Object.keys(tenants) as TenantName[];
  if (kept !== undefined && names.every((name) => kept.tenants?.[name] !== undefined && existing.has(name))) {
    const moved = atOrigin(system, kept.tenants);
    // The file of an earlier release may lack new fields.
    if (JSON.stringify(moved) === JSON.stringify(kept)) return kept;
    await writePrivate(path, `${JSON.stringify(moved, null, 2)}\n`);
    return moved;
  }
  log(`Creating the tenants ${names.join(' and ')}`);
  const seeded = await Promise.all(
    names.map(async (name) => {
      if (!existing.has(name)) await operator.createTenant(name, tenants[name]);
      return [name, await seedTenant(system, operator, name)] as const;
    }),
  );
  const demo = atOrigin(system, Object.fromEntries(seeded) as Record<TenantName, DemoTenant>);
  await writePrivate(path, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

/** Returns the tenants at another origin: the port may change between starts. */
function atOrigin(
  { origin, operatorUrl }: Pick<System, 'origin' | 'operatorUrl'>,
  entries: Record<TenantName, DemoTenant>,
): DemoFile {
  const moved = Object.fromEntries(
    Object.entries(entries).map(([name, tenant]) => [
      name,
      { ...tenant, issuer: `${origin}/t/${name}`, scim: `${origin}/t/${name}/scim/v2` },
    ]),
  ) as Record<TenantName, DemoTenant>;
  return {
    origin,
    graphql: `${origin}/graphql`,
    console: `${origin}/console`,
    operator: operatorUrl,
    tenants: moved,
  };
}

const signInScopes = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access', 'groups'];
/** Scopes that users may grant to the demo's apps, which must request them by name. */
const selfScopes = ['self:profile', 'self:sessions', 'self:tokens', 'self:factors'];

const webRedirects = ['http://127.0.0.1/callback'];
const webappRedirects = ['http://127.0.0.1:8400/callback'];

async function seedTenant(system: System, operator: Operator, tenant: TenantName): Promise<DemoTenant> {
  const admin = await operator.registerAdmin(tenant);
  const api = await TenantApi.signIn(system, tenant, admin);
  const { web, webapp, device, scim } = await seedClients(api);
  const resource = await seedResourceServer(api, [web.client_id, webapp.client_id, device.client_id]);
  const orders = await seedOrders(api);
  const token = await api.connector('scim', scim.client_id);
  const users = await seedUsers(api, token);
  await api.renewPassword(users.admin.id, users.admin);
  await operator.assignRole(tenant, users.admin.id, 'tenant_admin');
  return {
    issuer: '',
    scim: '',
    clients: {
      admin,
      scim: { ...withSecret(scim), token },
      web: { client_id: web.client_id, redirect_uris: webRedirects },
      webapp: { ...withSecret(webapp), redirect_uris: webappRedirects },
      device: { client_id: device.client_id },
      api: withSecret(resource),
      orders: withSecret(orders),
    },
    users: Object.fromEntries(
      Object.entries(users).map(([name, { userName, password }]) => [name, { userName, password }]),
    ) as DemoTenant['users'],
  };
}

/** Creates the apps to which users sign in, and the source that provisions the users. */
async function seedClients(
  api: TenantApi,
): Promise<Record<'web' | 'webapp' | 'device' | 'scim', Registered>> {
  const scopes = [...signInScopes, ...selfScopes];
  const [web, webapp, device, scim] = await Promise.all([
    api.registerClient({
      client_name: 'Demo web app in the browser',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: webRedirects,
      scopes,
    }),
    api.registerClient({
      client_name: 'Demo web app on a server',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: webappRedirects,
      scopes,
    }),
    api.registerClient({
      client_name: 'Demo device',
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirect_uris: [],
      scopes,
    }),
    api.registerClient({
      client_name: 'Demo identity source',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: ['scim:read', 'scim:write'],
    }),
  ]);
  return { web, webapp, device, scim };
}

/** Creates a service behind the apps, which exchanges the received tokens for its own. */
function seedResourceServer(api: TenantApi, apps: string[]): Promise<Registered> {
  return api.registerClient({
    client_name: 'Demo API',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    redirect_uris: [],
    scopes: signInScopes,
    token_exchange_subject_clients: apps,
    // It may introspect the received tokens, which are for the tenant's own API.
    protected_resources: ['urn:ostiary:tenant-api'],
  });
}

/** Defines an API of the organization, and creates a service that calls and serves it. */
async function seedOrders(api: TenantApi): Promise<Registered> {
  const identifier = `https://orders.${api.tenant}.example`;
  const described = (name: string, en: string, de: string) => ({
    name,
    descriptions: [
      { language: 'en', text: en },
      { language: 'de', text: de },
    ],
  });
  const scopes = [
    described('orders:read', 'See your orders', 'Ihre Bestellungen ansehen'),
    described('orders:write', 'Create and change orders', 'Bestellungen anlegen und ändern'),
  ];
  const roles = [described('approver', 'Approves orders', 'Genehmigt Bestellungen')];
  await api.defineApi({ identifier, name: 'Orders', scopes, roles });
  return api.registerClient({
    client_name: 'Demo order service',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scopes: [],
    own_scopes: scopes.map(({ name }) => name),
    protected_resources: [identifier],
  });
}

function withSecret({ client_id, client_secret }: Registered): ConfidentialClient {
  if (client_secret === undefined)
    throw new StartError(`Seeding the demo failed: ${client_id} got no secret.`);
  return { client_id, client_secret };
}

async function seedUsers(
  api: TenantApi,
  token: string,
): Promise<Record<UserName, { id: string; userName: string; password: string }>> {
  const entries = await Promise.all(
    Object.entries(people).map(async ([userName, name]) => {
      const password = randomBytes(12).toString('base64url');
      const id = await api.createUser(token, {
        userName,
        externalId: `demo-${userName}`,
        password,
        active: true,
        name,
        displayName: `${name.givenName} ${name.familyName}`,
        emails: [{ value: `${userName}@${api.tenant}.example`, type: 'work', primary: true }],
      });
      return [userName, { id, userName, password }] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<UserName, { id: string; userName: string; password: string }>;
}
