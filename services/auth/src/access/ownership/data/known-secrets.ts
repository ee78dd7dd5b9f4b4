import { type Sql, statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { perhapsLive } from '../../../platform/database/data/perhaps-live.ts';
import { fromSubject } from '../../../tenancy/users/data/subject-conditions.ts';
import type { CredentialOwner } from '../domain/credential-owner.ts';
import {
  type GrantOfIssuer,
  type KnownSecret,
  type KnownSecretStore,
  rightOfKind,
  type SecretKind,
} from '../domain/known-secret.ts';
import { holdPrograms, nextProgramEpoch } from './known-programs.ts';
import { noteGroupKnower } from './owner-checks.ts';
import { endLater, takeDueEnds } from './secret-ends.ts';

/** Storage of a kind of secrets, in SQL, with the row as `s`. */
interface Source {
  table: string;
  /** Column of the secret's id; `client_id` where a client has at most one. */
  id: 'id' | 'client_id';
  /** Column of the id of the object that the secret belongs to. */
  credential: 'client_id' | 'id' | 'issuer_id' | 'service_account_id' | 'subject_id';
  live: string;
  /** Name of the secret, or of the object that it belongs to; null if there is none. */
  name: string;
  /** Column of the users and groups that know the secret. */
  knownTo?: string;
  /** Kind and id in `credential_owners` of the object that the secret belongs to. */
  owned?: [kind: string, id: string];
  /** Statement that removes the secret. Default: its row is deleted. */
  end?: string;
}

const unexpired = 's.expires_at > now()';
const hasKeys = `(s.metadata->'jwks' IS NOT NULL OR s.metadata->'jwks_uri' IS NOT NULL)`;
const ofClient = ['client', 's.client_id'] as [string, string];
const nameOfClient =
  '(SELECT c.name FROM auth.clients c WHERE c.tenant = s.tenant AND c.client_id = s.client_id)';

/** Pauses a receiver, so that its events wait. A paused or disabled receiver keeps its state. */
const pausing = (reason: string, cleared: string): string =>
  `UPDATE auth.receivers s SET status = CASE WHEN s.status = 'enabled' THEN 'paused' ELSE s.status END,
          status_reason = CASE WHEN s.status = 'disabled' THEN s.status_reason ELSE '${reason}' END,
          version = s.version + 1, updated_at = now(), ${cleared}`;

const sources: Readonly<Record<SecretKind, Source>> = {
  client_secret: {
    table: 'auth.client_secrets',
    id: 'id',
    credential: 'client_id',
    live: `(s.expires_at IS NULL OR ${unexpired})`,
    name: nameOfClient,
    owned: ofClient,
  },
  client_keys: {
    table: 'auth.clients',
    id: 'client_id',
    credential: 'client_id',
    live: hasKeys,
    name: 's.name',
    knownTo: 'keys_known_to',
    owned: ofClient,
    end: `UPDATE auth.clients s SET metadata = s.metadata - 'jwks' - 'jwks_uri', keys_known_to = '{}'`,
  },
  registration_access_token: {
    table: 'auth.client_registrations',
    id: 'client_id',
    credential: 'client_id',
    live: 'true',
    name: nameOfClient,
    owned: ofClient,
  },
  initial_access_token: {
    table: 'auth.initial_access_tokens',
    id: 'id',
    credential: 'id',
    live: `s.uses_left > 0 AND ${unexpired}`,
    name: 's.name',
    owned: ['initial_access_token', 's.id::text'],
  },
  service_account_key: {
    table: 'auth.service_account_keys',
    id: 'id',
    credential: 'service_account_id',
    live: `(s.expires_at IS NULL OR ${unexpired})`,
    name: '(SELECT a.name FROM auth.service_accounts a WHERE a.tenant = s.tenant AND a.id = s.service_account_id)',
    owned: ['service_account', 's.service_account_id::text'],
  },
  api_key: {
    table: 'auth.api_tokens',
    id: 'id',
    credential: 'service_account_id',
    live: `s.service_account_id IS NOT NULL AND s.revoked_at IS NULL AND ${unexpired}`,
    name: 's.name',
    owned: ['api_key', 's.id::text'],
    end: 'UPDATE auth.api_tokens s SET revoked_at = now()',
  },
  trusted_issuer: {
    table: 'auth.trusted_issuers',
    id: 'id',
    credential: 'id',
    live: 'true',
    name: 's.name',
  },
  issuer_subject: {
    table: 'auth.issuer_subjects',
    id: 'id',
    credential: 'issuer_id',
    live: 'true',
    name: '(SELECT i.name FROM auth.trusted_issuers i WHERE i.tenant = s.tenant AND i.id = s.issuer_id)',
  },
  webhook_endpoint: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'id',
    live: `s.kind = 'webhook'`,
    name: 's.name',
    knownTo: 'endpoint_known_to',
    end: pausing(
      'The user who supplied the URL lost the right to do so. Enable the receiver to confirm the URL.',
      `endpoint_known_to = '{}'`,
    ),
  },
  webhook_secret: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'id',
    live: `s.kind = 'webhook' AND s.secrets IS NOT NULL`,
    name: 's.name',
    knownTo: 'secrets_known_to',
    end: pausing(
      'The signing secret was revoked with a user who knew it. Rotate it before enabling.',
      `secrets = NULL, secrets_known_to = '{}'`,
    ),
  },
  stream_endpoint: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'client_id',
    live: `s.kind = 'ssf' AND s.endpoint IS NOT NULL`,
    name: 's.name',
    knownTo: 'endpoint_known_to',
    owned: ofClient,
    end: pausing(
      'The user who supplied the URL lost the right to do so. Enable the receiver to confirm the URL.',
      `endpoint_known_to = '{}'`,
    ),
  },
  invitation: {
    table: 'auth.invitations',
    id: 'id',
    credential: 'subject_id',
    live: `s.used_at IS NULL AND ${unexpired}`,
    // The name of a user requires other scopes.
    name: 'NULL::text',
  },
};

const kinds = Object.keys(rightOfKind) as SecretKind[];
const columnOf = (kind: SecretKind): string => sources[kind].knownTo ?? 'known_to';
const ofKinds = <T>(make: (kind: SecretKind, source: Source) => T): Readonly<Record<SecretKind, T>> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind, sources[kind])])) as Record<SecretKind, T>;

const textOf = (column: string): string => (column === 'client_id' ? 's.client_id' : `s.${column}::text`);
/** Compares without a cast of the column, which would prevent the use of its index. */
const isSecret = (id: Source['id']): string => (id === 'id' ? 's.id = $secretId' : 's.client_id = $secretId');
const typeOf = (id: Source['id']) => (id === 'id' ? 'uuid' : 'text');

/**
 * Users and groups that know a live secret with which a program authenticates or with which clients are registered, for
 * statements with the parameters `$tenant`, `$id` and `$uuid` (the id, if it is a UUID).
 */
export const knownToOfProgram = `ARRAY(SELECT DISTINCT k FROM (${kinds
  .filter((kind) => sources[kind].owned && kind !== 'stream_endpoint')
  .map((kind) => {
    const { table, credential, live } = sources[kind];
    return `SELECT s.${columnOf(kind)} AS known FROM ${table} s WHERE s.tenant = $tenant AND s.${credential} = ${credential === 'client_id' ? '$id' : '$uuid'} AND ${live}`;
  })
  .join(' UNION ALL ')}) x, unnest(x.known) AS k)`;

/** Whether a user or group knows any secret, with the parameters `$tenant` and `$ownerId`. */
export const knowsAny = `(${kinds
  .map((kind) => {
    const { table, live } = sources[kind];
    const known = `s.${columnOf(kind)} @> ARRAY[$ownerId::uuid]`;
    return `EXISTS (SELECT FROM ${table} s WHERE s.tenant = $tenant AND ${known} AND ${live})`;
  })
  .join(' OR ')})`;

const list = statement({
  name: 'known_secrets.list',
  reason: 'set',
  text: `SELECT x.kind, x.secret AS "secretId", x.credential AS "credentialId", x.name, o.owner_kind AS "ownerKind", o.owner_id AS "ownerId"
           FROM (${kinds
             .map((kind) => {
               const { table, id, credential, live, name, owned = ['', "''"] } = sources[kind];
               return `SELECT '${kind}' AS kind, ${textOf(id)} AS secret, ${textOf(credential)} AS credential, ${name} AS name, '${owned[0]}' AS owned_kind, ${owned[1]} AS owned_id
                 FROM ${table} s WHERE s.tenant = $tenant AND s.${columnOf(kind)} @> ARRAY[$knowerId::uuid] AND ${live}`;
             })
             .join(' UNION ALL ')}) x
           LEFT JOIN auth.credential_owners o ON o.tenant = $tenant AND o.kind = x.owned_kind AND o.credential_id = x.owned_id
          ORDER BY x.credential, x.kind, x.secret`,
  parameters: { tenant: 'text', knowerId: 'uuid' },
  columns: {
    kind: 'text',
    secretId: 'text',
    credentialId: 'text',
    name: 'text?',
    ownerKind: 'text?',
    ownerId: 'uuid?',
  },
});

export async function knownTo(sql: Sql, tenant: string, knowerId: string): Promise<KnownSecret[]> {
  const rows = await list.rows(sql, { tenant, knowerId });
  return rows.map(({ kind, ownerKind, ownerId, ...row }) => ({
    ...row,
    kind: kind as SecretKind,
    owner: ownerId === null ? null : { kind: ownerKind === 'group' ? 'group' : 'user', id: ownerId },
  }));
}

const recording = ofKinds((kind, { table, id }) =>
  statement({
    name: `known_secrets.record_${kind}`,
    reason: 'atomic',
    // A replacement for a secret whose end was deferred does not end with it.
    text: `WITH replaced AS (
             DELETE FROM auth.secret_ends WHERE tenant = $tenant AND kind = '${kind}' AND secret_id = ${typeOf(id) === 'uuid' ? '$secretId::uuid::text' : '$secretId'}
           )
           UPDATE ${table} s SET ${columnOf(kind)} = $knownTo WHERE s.tenant = $tenant AND ${isSecret(id)}`,
    parameters: { tenant: 'text', secretId: typeOf(id), knownTo: 'uuid[]' },
  }),
);

export async function recordKnown(
  tx: Sql,
  tenant: string,
  kind: SecretKind,
  secretId: string,
  knowers: readonly CredentialOwner[],
): Promise<void> {
  await recording[kind].run(tx, { tenant, secretId, knownTo: knowers.map(({ id }) => id) });
}

const ending = ofKinds((kind, { table, id, live, end = `DELETE FROM ${table} s` }) =>
  statement({
    name: `known_secrets.end_${kind}`,
    reason: 'atomic',
    text: `${end} WHERE s.tenant = $tenant AND ${isSecret(id)} AND ${live}`,
    parameters: { tenant: 'text', secretId: typeOf(id) },
  }),
);

export async function endKnown(
  tx: Connection,
  tenant: string,
  { kind, secretId }: KnownSecret,
): Promise<GrantOfIssuer[] | undefined> {
  const prisma = await tx.prisma();
  const bound =
    kind === 'issuer_subject'
      ? await prisma.issuerSubject.findUnique({ where: { tenant_id: { tenant, id: secretId } } })
      : null;
  if ((await ending[kind].count(tx, { tenant, secretId })) === 0) return undefined;
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

const replacing = ofKinds((kind, { table }) =>
  statement({
    name: `known_secrets.replace_knower_${kind}`,
    reason: 'set',
    text: `UPDATE ${table} s SET ${columnOf(kind)} = array_replace(${columnOf(kind)}, $knowerId::uuid, $successorId::uuid)
            WHERE s.tenant = $tenant AND s.${columnOf(kind)} @> ARRAY[$knowerId::uuid]`,
    parameters: { tenant: 'text', knowerId: 'uuid', successorId: 'uuid' },
  }),
);

export async function replaceKnower(
  tx: Sql,
  tenant: string,
  of: readonly SecretKind[],
  knowerId: string,
  successorId: string,
): Promise<void> {
  for (const kind of of) await replacing[kind].run(tx, { tenant, knowerId, successorId });
}

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

export const postgresKnownSecrets: KnownSecretStore = {
  recordKnown,
  knownTo,
  endKnown,
  replaceKnower,
  endLater,
  takeDueEnds,
  noteGroupKnower,
  holdPrograms,
  nextProgramEpoch,
  usersAmong,
};
