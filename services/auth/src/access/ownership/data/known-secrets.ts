import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { perhapsLive } from '../../../platform/database/data/perhaps-live.ts';
import { fromSubject } from '../../../tenancy/users/data/subject-conditions.ts';
import {
  type GrantOfIssuer,
  type KnownSecret,
  type KnownSecretStore,
  rightOfKind,
  type SecretKind,
} from '../domain/known-secret.ts';
import { holdKnownAccounts, nextAccountEpoch } from './known-programs.ts';
import type { KnownSecretSource, KnownSecretSources } from './known-secret-source.ts';
import type { OwnedClients } from './owned-clients.ts';
import { noteGroupKnower } from './owner-checks.ts';
import { endLater, takeDueEnds } from './secret-ends.ts';

const kinds = Object.keys(rightOfKind) as SecretKind[];
const columnOf = ({ knownTo = 'known_to' }: KnownSecretSource): string => knownTo;
const ofKinds = <T>(
  sources: KnownSecretSources,
  make: (kind: SecretKind, source: KnownSecretSource) => T,
): Readonly<Record<SecretKind, T>> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind, sources[kind])])) as Record<SecretKind, T>;

const textOf = (column: string): string => (column === 'client_id' ? 's.client_id' : `s.${column}::text`);
/** Compares without a cast of the column, which would prevent the use of its index. */
const isSecret = (id: KnownSecretSource['id']): string =>
  id === 'id' ? 's.id = $secretId' : 's.client_id = $secretId';
const typeOf = (id: KnownSecretSource['id']) => (id === 'id' ? 'uuid' : 'text');

/**
 * Users and groups that know a live secret with which a program authenticates or with which clients are registered, for
 * statements with the parameters `$tenant`, `$id` and `$uuid` (the id, if it is a UUID).
 */
const knownToOfProgram = (sources: KnownSecretSources): string =>
  `ARRAY(SELECT DISTINCT k FROM (${kinds
    .filter((kind) => sources[kind].owned && kind !== 'stream_endpoint')
    .map((kind) => {
      const { credential, live, table } = sources[kind];
      return `SELECT s.${columnOf(sources[kind])} AS known FROM ${table} s WHERE s.tenant = $tenant AND s.${credential} = ${credential === 'client_id' ? '$id' : '$uuid'} AND ${live}`;
    })
    .join(' UNION ALL ')}) x, unnest(x.known) AS k)`;

/** Whether a user or group knows any secret, with the parameters `$tenant` and `$ownerId`. */
const knowsAny = (sources: KnownSecretSources): string =>
  `(${kinds
    .map((kind) => {
      const { live, table } = sources[kind];
      const known = `s.${columnOf(sources[kind])} @> ARRAY[$ownerId::uuid]`;
      return `EXISTS (SELECT FROM ${table} s WHERE s.tenant = $tenant AND ${known} AND ${live})`;
    })
    .join(' OR ')})`;

const listStatement = (sources: KnownSecretSources) =>
  statement({
    name: 'known_secrets.list',
    reason: 'set',
    text: `SELECT x.kind, x.secret AS "secretId", x.credential AS "credentialId", x.name, o.owner_kind AS "ownerKind", o.owner_id AS "ownerId"
           FROM (${kinds
             .map((kind) => {
               const { table, id, credential, live, name, owned = ['', "''"] } = sources[kind];
               return `SELECT '${kind}' AS kind, ${textOf(id)} AS secret, ${textOf(credential)} AS credential, ${name} AS name, '${owned[0]}' AS owned_kind, ${owned[1]} AS owned_id
                 FROM ${table} s WHERE s.tenant = $tenant AND s.${columnOf(sources[kind])} @> ARRAY[$knowerId::uuid] AND ${live}`;
             })
             .join(' UNION ALL ')}) x
           LEFT JOIN auth.credential_owners o ON o.tenant = $tenant AND o.kind = x.owned_kind AND o.credential_id = x.owned_id
          ORDER BY x.credential, x.kind, x.secret`,
    parameters: { tenant: 'text', knowerId: 'uuid' },
    columns: {
      kind: typed<SecretKind>('text'),
      secretId: 'text',
      credentialId: 'text',
      name: 'text?',
      ownerKind: 'text?',
      ownerId: 'uuid?',
    },
  });

const recordStatement = (kind: SecretKind, source: KnownSecretSource) =>
  statement({
    name: `known_secrets.record_${kind}`,
    reason: 'atomic',
    // A replacement for a secret whose end was deferred does not end with it.
    text: `WITH replaced AS (
             DELETE FROM auth.secret_ends WHERE tenant = $tenant AND kind = '${kind}' AND secret_id = ${typeOf(source.id) === 'uuid' ? '$secretId::uuid::text' : '$secretId'}
           )
           UPDATE ${source.table} s SET ${columnOf(source)} = $knownTo WHERE s.tenant = $tenant AND ${isSecret(source.id)}`,
    parameters: { tenant: 'text', secretId: typeOf(source.id), knownTo: 'uuid[]' },
  });

const endStatement = (
  kind: SecretKind,
  { table, id, live, end = `DELETE FROM ${table} s` }: KnownSecretSource,
) =>
  statement({
    name: `known_secrets.end_${kind}`,
    reason: 'atomic',
    text: `${end} WHERE s.tenant = $tenant AND ${isSecret(id)} AND ${live}`,
    parameters: { tenant: 'text', secretId: typeOf(id) },
  });

const replaceStatement = (kind: SecretKind, source: KnownSecretSource) =>
  statement({
    name: `known_secrets.replace_knower_${kind}`,
    reason: 'set',
    text: `UPDATE ${source.table} s SET ${columnOf(source)} = array_replace(${columnOf(source)}, $knowerId::uuid, $successorId::uuid)
            WHERE s.tenant = $tenant AND s.${columnOf(source)} @> ARRAY[$knowerId::uuid]`,
    parameters: { tenant: 'text', knowerId: 'uuid', successorId: 'uuid' },
  });

/** Statements on the secrets of all districts, and the conditions for statements on programs and owners. */
export type KnownSecretStatements = ReturnType<typeof knownSecretStatements>;

/** Declares the statements on the secrets of all districts. */
export const knownSecretStatements = (sources: KnownSecretSources) => ({
  knownToOfProgram: knownToOfProgram(sources),
  knowsAny: knowsAny(sources),
  list: listStatement(sources),
  record: ofKinds(sources, recordStatement),
  end: ofKinds(sources, endStatement),
  replace: ofKinds(sources, replaceStatement),
});

const findUsers = statement({
  name: 'known_secrets.users_among',
  reason: 'set',
  text: `SELECT s.id ${fromSubject('s', '$tenant', '= ANY($ids)')}`,
  parameters: { tenant: 'text', ids: 'uuid[]' },
  columns: { id: 'uuid' },
});

export async function usersAmong(sql: Sql, tenant: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await findUsers.rows(sql, { tenant, ids: [...ids] })).map(({ id }) => id));
}

/** @see KnownSecretStore */
export const postgresKnownSecrets = (
  statements: KnownSecretStatements,
  clients: OwnedClients,
): KnownSecretStore => ({
  async recordKnown(tx: Sql, tenant, kind, secretId, knowers) {
    await statements.record[kind].run(tx, { tenant, secretId, knownTo: knowers.map(({ id }) => id) });
  },
  async knownTo(sql: Sql, tenant, knowerId) {
    const rows = await statements.list.rows(sql, { tenant, knowerId });
    return rows.map(({ ownerKind, ownerId, ...row }) => ({
      ...row,
      owner: ownerId === null ? null : { kind: ownerKind === 'group' ? 'group' : 'user', id: ownerId },
    }));
  },
  endKnown: (tx: Connection, ...of) => endKnown(statements, tx, ...of),
  async replaceKnower(tx: Sql, tenant, of, knowerId, successorId) {
    for (const kind of of) await statements.replace[kind].run(tx, { tenant, knowerId, successorId });
  },
  endLater,
  takeDueEnds,
  noteGroupKnower,
  async holdPrograms(tx: Sql, tenant, knowerId) {
    await clients.hold(tx, tenant, knowerId);
    await holdKnownAccounts(tx, tenant, knowerId);
  },
  nextProgramEpoch: (tx: Sql, tenant, kind, id) =>
    kind === 'client' ? clients.nextEpoch(tx, tenant, id) : nextAccountEpoch(tx, tenant, id),
  usersAmong,
});

async function endKnown(
  { end }: KnownSecretStatements,
  tx: Connection,
  tenant: string,
  { kind, secretId }: KnownSecret,
): Promise<GrantOfIssuer[] | undefined> {
  const prisma = await tx.prisma();
  const bound =
    kind === 'issuer_subject'
      ? await prisma.issuerSubject.findUnique({ where: { tenant_id: { tenant, id: secretId } } })
      : null;
  if ((await end[kind].count(tx, { tenant, secretId })) === 0) return undefined;
  if (kind !== 'trusted_issuer' && !bound) return [];
  return prisma.grant.findMany({
    where: {
      tenant,
      trustedIssuerId: bound?.issuerId ?? secretId,
      ...(bound && { subjectId: bound.subjectId }),
      ...perhapsLive(),
    },
    select: { id: true, subjectId: true, clientId: true },
  });
}
