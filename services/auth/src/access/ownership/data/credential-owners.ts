import { type Sql, statement } from '@ostiary/database';
import { idToLookUp, isUuid } from '@ostiary/service';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Conditions } from '../../../platform/database/data/conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type {
  CredentialOwner,
  CredentialOwnerStore,
  OwnedKind,
  OwnerFilter,
  Program,
  ProgramStanding,
  StoredKind,
} from '../domain/credential-owner.ts';
import { type KnownSecretStatements, usersAmong } from './known-secrets.ts';
import type { OwnedClients } from './owned-clients.ts';
import {
  disableAccount,
  dormantAccounts,
  holdSuccessor,
  liveAccounts,
  liveApiKeys,
} from './owned-statements.ts';

/** Adds the conditions of a filter on owners. @param credentialId the column, in a statement with the tenant as `$1` */
export function narrowToOwner(
  where: Conditions,
  kind: OwnedKind,
  credentialId: string,
  { ownerId, hasOwner }: OwnerFilter,
): void {
  const owned = `FROM auth.credential_owners o WHERE o.tenant = $1 AND o.kind = '${kind}' AND o.credential_id = ${credentialId}`;
  if (hasOwner !== undefined) where.state(`${hasOwner ? '' : 'NOT '}EXISTS (SELECT ${owned})`);
  if (ownerId === undefined) return;
  // A malformed id matches nothing, like an unknown id.
  where.add(
    (id) => `EXISTS (SELECT ${owned} AND o.owner_id = ${id}::uuid)`,
    idToLookUp(ownerId.toLowerCase()),
  );
}

export async function setOwner(
  tx: Connection,
  tenant: string,
  kind: StoredKind,
  credentialId: string,
  owner: CredentialOwner | null | undefined,
): Promise<void> {
  const prisma = await tx.prisma();
  const key = { tenant, kind, credentialId };
  if (!owner) {
    await prisma.credentialOwner.deleteMany({ where: key });
    return;
  }
  const ofOwner = { ownerKind: owner.kind, ownerId: owner.id };
  await prisma.credentialOwner.upsert({
    where: { tenant_kind_credentialId: key },
    create: { ...key, ...ofOwner },
    update: { ...ofOwner, updatedAt: new Date() },
    select: { kind: true },
  });
}

export async function ownersOf(
  sql: Connection,
  tenant: string,
  kind: StoredKind,
  credentialIds: readonly string[],
): Promise<Map<string, CredentialOwner>> {
  const prisma = await sql.prisma();
  const rows = await prisma.credentialOwner.findMany({
    where: { tenant, kind, credentialId: { in: [...credentialIds] } },
    select: { credentialId: true, ownerKind: true, ownerId: true },
  });
  return new Map(
    rows.map(({ credentialId, ownerKind, ownerId }) => [
      credentialId,
      { kind: ownerKind as CredentialOwner['kind'], id: ownerId },
    ]),
  );
}

/** One snapshot: if the owner is read from before an offboarding, so is the epoch that the offboarding increments. */
const standingStatement = ({ knownToOfProgram }: KnownSecretStatements, { epochs }: OwnedClients) =>
  statement({
    name: 'credential_owners.program_standing',
    reason: 'atomic',
    text: `SELECT p.epoch, o.owner_kind AS "ownerKind", o.owner_id AS "ownerId", ${knownToOfProgram} AS "knownTo",
                EXISTS (SELECT FROM auth.secret_ends e
                         WHERE e.tenant = $tenant AND e.knower_id = ANY (${knownToOfProgram})) AS "isEnding"
           FROM (${epochs.join(' UNION ALL ')}
                 UNION ALL SELECT epoch FROM auth.service_accounts WHERE tenant = $tenant AND id = $uuid) p
           LEFT JOIN LATERAL (
             SELECT owner_kind, owner_id FROM auth.credential_owners
              WHERE tenant = $tenant AND (kind = 'api_key' AND credential_id = $apiKeyId::uuid::text
                 OR kind IN ('client', 'service_account', 'initial_access_token') AND credential_id = $id)
              ORDER BY kind LIMIT 1) o ON true
          WHERE $apiKeyId::uuid IS NULL OR EXISTS (
            SELECT FROM auth.api_tokens WHERE tenant = $tenant AND id = $apiKeyId::uuid AND revoked_at IS NULL)`,
    parameters: { tenant: 'text', id: 'text', uuid: 'uuid?', apiKeyId: 'uuid?' },
    columns: { epoch: 'int4', ownerKind: 'text?', ownerId: 'uuid?', knownTo: 'uuid[]!', isEnding: 'bool' },
  });

async function standingOf(
  standing: ReturnType<typeof standingStatement>,
  tx: Sql,
  tenant: string,
  { id, apiKeyId }: Program,
): Promise<ProgramStanding | undefined> {
  const found = await standing.first(tx, { tenant, id, uuid: isUuid(id) ? id : undefined, apiKeyId });
  if (!found) return undefined;
  const { epoch, ownerKind, ownerId, isEnding } = found;
  const users = await usersAmong(tx, tenant, found.knownTo);
  return {
    epoch,
    isEnding,
    knownTo: found.knownTo.map((knower) => ({ kind: users.has(knower) ? 'user' : 'group', id: knower })),
    owner: ownerId === null ? null : { kind: ownerKind === 'group' ? 'group' : 'user', id: ownerId },
  };
}

const ownsAnyStatement = ({ knowsAny }: KnownSecretStatements) =>
  statement({
    name: 'credential_owners.owns_anything',
    reason: 'hot path',
    text: `SELECT EXISTS (SELECT FROM auth.credential_owners WHERE tenant = $tenant AND owner_id = $ownerId) AS here,
                EXISTS (SELECT FROM auth.connector_owners WHERE tenant = $tenant AND owner_id = $ownerId) AS connectors,
                ${knowsAny} AS knows,
                (EXISTS (SELECT FROM auth.role_assignments WHERE tenant = $tenant AND subject_id = $ownerId)
                  OR EXISTS (SELECT FROM auth.group_role_holders WHERE tenant = $tenant AND subject_id = $ownerId)) AS "hasRole"`,
    parameters: { tenant: 'text', ownerId: 'uuid' },
    columns: { here: 'bool', connectors: 'bool', knows: 'bool', hasRole: 'bool' },
  });

const ownsNothing = { here: false, connectors: false, knows: false, hasRole: false };

export async function lockGroupOwner(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await holdName(tx, `credential_owners/${tenant}/${groupId}`);
}

export async function handOver(
  tx: Connection,
  tenant: string,
  kind: OwnedKind,
  credentialIds: readonly string[],
  to: CredentialOwner,
): Promise<void> {
  if (credentialIds.length === 0) return;
  const prisma = await tx.prisma();
  await prisma.credentialOwner.updateMany({
    where: { tenant, kind, credentialId: { in: [...credentialIds] } },
    data: { ownerKind: to.kind, ownerId: to.id, updatedAt: new Date() },
  });
}

export async function successorOf(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<CredentialOwner | undefined> {
  const successor = await holdSuccessor.first(sql, { tenant, id });
  if (!successor) return { kind: 'group', id };
  return successor.active ? { kind: 'user', id } : undefined;
}

export async function disableOwnedAccount(
  tx: Connection,
  tenant: string,
  id: string,
  forGood: boolean,
): Promise<{ epoch: number; apiKeys: string[] }> {
  const epoch = (await disableAccount.first(tx, { tenant, id }))?.epoch ?? 0;
  if (!forGood) return { epoch, apiKeys: [] };
  const prisma = await tx.prisma();
  await prisma.serviceAccountKey.deleteMany({ where: { tenant, serviceAccountId: id } });
  const ended = await prisma.apiToken.updateManyAndReturn({
    where: { tenant, serviceAccountId: id, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true },
  });
  return { epoch, apiKeys: ended.map((row) => row.id) };
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** @see CredentialOwnerStore */
export function postgresCredentialOwners(
  secrets: KnownSecretStatements,
  clients: OwnedClients,
): CredentialOwnerStore {
  const standing = standingStatement(secrets, clients);
  const ownsAny = ownsAnyStatement(secrets);
  return {
    setOwner,
    ownersOf,
    standingOf: (tx: Sql, ...of) => standingOf(standing, tx, ...of),
    ownsAnything: async (tx: Sql, tenant, { id }) =>
      (await ownsAny.first(tx, { tenant, ownerId: id })) ?? ownsNothing,
    lockGroupOwner,
    liveOwned: async (tx: Sql, tenant, { id: ownerId }, kinds) => ({
      client: kinds.includes('client') ? await clients.live(tx, tenant, ownerId) : [],
      service_account: kinds.includes('service_account')
        ? idsOf(await liveAccounts.rows(tx, { tenant, ownerId }))
        : [],
      api_key: kinds.includes('api_key') ? idsOf(await liveApiKeys.rows(tx, { tenant, ownerId })) : [],
    }),
    dormantOwned: async (tx: Sql, tenant, { id: ownerId }, kinds) => ({
      client: kinds.includes('client') ? await clients.dormant(tx, tenant, ownerId) : [],
      service_account: kinds.includes('service_account')
        ? idsOf(await dormantAccounts.rows(tx, { tenant, ownerId }))
        : [],
    }),
    endInitialAccessTokens: (tx: Sql, tenant, { id }) => clients.endInitialAccessTokens(tx, tenant, id),
    handOver,
    successorOf,
    async disableOwnedClient(tx: Connection, tenant, clientId, forGood) {
      const epoch = await clients.disable(tx, tenant, clientId, forGood);
      if (forGood) await secrets.record.client_keys.run(tx, { tenant, secretId: clientId, knownTo: [] });
      return epoch;
    },
    disableOwnedAccount,
  };
}

/** Returns a statement that deletes the owners of credentials. @param rows relation with tenant and id of each credential */
export const deletingOwners = (kind: StoredKind, rows: string): string =>
  `DELETE FROM auth.credential_owners o USING ${rows}
    WHERE o.tenant = ${rows}.tenant AND o.kind = '${kind}' AND o.credential_id = ${rows}.id::text`;
