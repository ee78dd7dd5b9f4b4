import { type Sql, statement } from '@ostiary/database';
import { type IdPage, isUuid } from '@ostiary/service';
import { endForApi, without } from '../../../access/grants/data/api-ends.ts';
import { endRoles } from '../../../access/roles/data/api-role-ends.ts';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { stretchOf } from '../../../platform/database/data/stretch.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { Api, ApiScope, TokenFormat } from '../domain/api.ts';
import type { ApiStore, EndedForApi, EndedOfApi, ScopesAndResources } from '../domain/api-store.ts';

const include = {
  scopes: { orderBy: { position: 'asc' } },
  roles: { orderBy: { position: 'asc' } },
} satisfies Prisma.ApiInclude;

type ApiRow = Prisma.ApiGetPayload<{ include: typeof include }>;

const toApi = ({ tenant: _tenant, scopes, roles, ...row }: ApiRow): Api => ({
  ...row,
  tokenFormat: row.tokenFormat as TokenFormat,
  claims: row.claims as unknown as Api['claims'],
  scopes: scopes.map(toNamed),
  roles: roles.map(toNamed),
});

const toNamed = ({ name, descriptions }: { name: string; descriptions: Prisma.JsonValue }): ApiScope => ({
  name,
  descriptions: descriptions as ApiScope['descriptions'],
});

const holdApis = (tx: Sql, tenant: string): Promise<void> => holdName(tx, `apis/${tenant}`);

const holdOne = statement({
  name: 'apis.hold',
  reason: 'atomic',
  text: `SELECT id FROM auth.apis WHERE tenant = $tenant AND id = $id FOR SHARE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { id: 'uuid' },
});

async function hold(tx: Sql, tenant: string, id: string): Promise<void> {
  await holdOne.rows(tx, { tenant, id });
}

async function find(sql: Connection, tenant: string, id: string): Promise<Api | undefined> {
  return (await ofIds(sql, tenant, [id]))[0];
}

async function ofIds(sql: Connection, tenant: string, ids: readonly string[]): Promise<Api[]> {
  const prisma = await sql.prisma();
  const where = { tenant, id: { in: ids.filter(isUuid) } };
  return (await prisma.api.findMany({ where, include })).map(toApi);
}

async function ofScopes(sql: Connection, tenant: string, scopes: readonly string[]): Promise<Api[]> {
  const prisma = await sql.prisma();
  const where = { tenant, scopes: { some: { name: { in: [...scopes] } } } };
  return (await prisma.api.findMany({ where, include, orderBy: { id: 'asc' } })).map(toApi);
}

async function reachedBy(
  sql: Connection,
  tenant: string,
  { scopes, resources }: ScopesAndResources,
): Promise<Api[]> {
  const prisma = await sql.prisma();
  // An identifier with an empty path is stored without the slash (RFC 3986 §6.2.3).
  const identifiers = resources.flatMap((one) => [one, one.replace(/\/$/, '')]);
  const byScope = { scopes: { some: { name: { in: [...scopes] } } } };
  const where = { tenant, OR: [byScope, { identifier: { in: identifiers } }] };
  return (await prisma.api.findMany({ where, include, orderBy: { id: 'asc' } })).map(toApi);
}

async function page(sql: Connection, tenant: string, asked: IdPage): Promise<Api[]> {
  const { beyond, orderBy, take } = stretchOf(asked);
  const prisma = await sql.prisma();
  return (await prisma.api.findMany({ where: { tenant, ...beyond }, include, orderBy, take })).map(toApi);
}

async function count(sql: Connection, tenant: string): Promise<number> {
  const prisma = await sql.prisma();
  return prisma.api.count({ where: { tenant } });
}

async function hasIdentifier(sql: Connection, tenant: string, identifier: string): Promise<boolean> {
  const prisma = await sql.prisma();
  return (await prisma.api.count({ where: { tenant, identifier } })) > 0;
}

const settingsOf = ({ name, tokenLifetimeSeconds, tokenFormat, claims, version }: Api) => ({
  name,
  tokenLifetimeSeconds,
  tokenFormat,
  claims: claims.map((mapping) => ({ ...mapping })),
  version,
});

const rowsOf = (tenant: string, apiId: string, named: readonly ApiScope[]) =>
  named.map(({ name, descriptions }, position) => ({
    tenant,
    name,
    apiId,
    position,
    descriptions: { ...descriptions },
  }));

async function insertNamed(tx: Connection, tenant: string, { id, scopes, roles }: Api): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.apiScope.createMany({ data: rowsOf(tenant, id, scopes) });
  await prisma.apiRole.createMany({ data: rowsOf(tenant, id, roles) });
}

async function insert(tx: Connection, tenant: string, api: Api): Promise<void> {
  const prisma = await tx.prisma();
  const { id, identifier, createdAt } = api;
  await prisma.api.create({ data: { tenant, id, identifier, createdAt, ...settingsOf(api) } });
  await insertNamed(tx, tenant, api);
}

async function replace(tx: Connection, tenant: string, api: Api): Promise<void> {
  const prisma = await tx.prisma();
  const { id } = api;
  await prisma.api.update({ where: { tenant_id: { tenant, id } }, data: settingsOf(api) });
  await prisma.apiScope.deleteMany({ where: { tenant, apiId: id } });
  await prisma.apiRole.deleteMany({ where: { tenant, apiId: id } });
  await insertNamed(tx, tenant, api);
}

async function remove(tx: Connection, tenant: string, id: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.api.delete({ where: { tenant_id: { tenant, id } } });
}

/**
 * Clients are locked in one order. Each starts a new epoch, so codes and tokens from before are invalid.
 * `protected_resources` stay: the API follows the revocations of its last tokens with them.
 */
const narrowClients = statement({
  name: 'apis.narrow_clients',
  reason: 'set',
  text: `WITH affected AS (
       SELECT c.client_id FROM auth.clients c
        WHERE c.tenant = $tenant AND (c.scopes && ($scopes::text[] || $reachingScopes::text[]) OR c.own_scopes && ($scopes::text[] || $reachingOwnScopes::text[])
           OR c.resources && ($resources::text[] || $reachingResources::text[]))
        ORDER BY c.client_id FOR UPDATE
     )
     UPDATE auth.clients c
        SET scopes = ${without('c.scopes', '$scopes')}, own_scopes = ${without('c.own_scopes', '$scopes')},
            resources = ${without('c.resources', '$resources')},
            epoch = c.epoch + 1, version = c.version + 1, updated_at = now()
       FROM affected WHERE c.tenant = $tenant AND c.client_id = affected.client_id
     RETURNING c.client_id AS "clientId", c.epoch`,
  parameters: {
    tenant: 'text',
    scopes: 'text[]',
    resources: 'text[]',
    reachingScopes: 'text[]',
    reachingOwnScopes: 'text[]',
    reachingResources: 'text[]',
  },
  columns: { clientId: 'text', epoch: 'int4' },
});

async function narrow(
  tx: Sql,
  tenant: string,
  { roles, reach, claimsChanged, ...ended }: EndedOfApi,
): Promise<EndedForApi> {
  const hadHolders = await endRoles(tx, tenant, roles);
  const reaches = hadHolders || claimsChanged;
  const clients = await narrowClients.rows(tx, {
    tenant,
    ...ended,
    reachingScopes: reaches ? reach.scopes : [],
    // Clients have no roles of APIs.
    reachingOwnScopes: claimsChanged ? reach.scopes : [],
    reachingResources: reaches ? reach.resources : [],
  });
  return { clients, grants: await endForApi(tx, tenant, ended, clients) };
}

export const postgresApis: ApiStore = {
  holdApis,
  hold,
  find,
  ofIds,
  ofScopes,
  reachedBy,
  page,
  count,
  hasIdentifier,
  insert,
  replace,
  delete: remove,
  endForApi: narrow,
};

/** Returns those of the names that are scopes of APIs of the tenant. */
export async function scopesOfApis(
  sql: Connection,
  tenant: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const prisma = await sql.prisma();
  const rows = await prisma.apiScope.findMany({
    where: { tenant, name: { in: [...names] } },
    select: { name: true },
  });
  return new Set(rows.map(({ name }) => name));
}

/** Does the same, and prevents that they end before the transaction does. */
export async function heldScopesOfApis(
  tx: Connection,
  tenant: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length > 0) await holdApis(tx, tenant);
  return scopesOfApis(tx, tenant, names);
}

export const apiNode = `SELECT 'Api' AS type, id::text AS id, NULL AS "ownerId" FROM auth.apis
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;
