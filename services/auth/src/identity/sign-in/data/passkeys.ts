import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { CarriedRoles } from '../../../tenancy/index.ts';
import { storedRoles } from '../../../tenancy/users/data/stored-roles.ts';
import { subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import type { PasskeyStore, StoredPasskey } from '../domain/credential-store.ts';

const columns = {
  id: true,
  subjectId: true,
  credentialId: true,
  publicKey: true,
  counter: true,
  transports: true,
  name: true,
  synced: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

export async function listPasskeys(
  sql: Connection,
  tenant: string,
  subjectId: string,
): Promise<StoredPasskey[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.passkey.findMany({
    where: { tenant, subjectId },
    select: columns,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ publicKey, counter, ...row }) => ({
    ...row,
    publicKey: Buffer.from(publicKey),
    counter: Number(counter),
  }));
}

/**
 * Reads the passkey and its user's epoch at one moment. The start of the session detects a later revocation of
 * either.
 */
const find = statement({
  name: 'passkeys.find',
  reason: 'atomic',
  text: `SELECT p.id, p.subject_id AS "subjectId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
                p.counter, p.transports, p.name, p.synced, p.created_at AS "createdAt", p.last_used_at AS "lastUsedAt",
                p.carried_roles AS "carriedRoles", s.epoch AS "subjectEpoch"
           FROM auth.passkeys p JOIN ${subjectAs('s', 'p.tenant', 'p.subject_id')}
          WHERE p.tenant = $tenant AND p.credential_id = $credentialId`,
  parameters: { tenant: 'text', credentialId: 'text' },
  columns: {
    id: 'uuid',
    subjectId: 'uuid',
    credentialId: 'text',
    publicKey: 'bytea',
    counter: typed<number>('int8'),
    transports: 'text[]!',
    name: 'text',
    synced: 'bool',
    createdAt: 'timestamptz',
    lastUsedAt: 'timestamptz?',
    carriedRoles: 'text[]?',
    subjectEpoch: 'int4',
  },
});

export function findPasskey(
  sql: Sql,
  tenant: string,
  credentialId: string,
): Promise<(StoredPasskey & { subjectEpoch: number; carriedRoles: CarriedRoles }) | undefined> {
  return find.first(sql, { tenant, credentialId });
}

export async function insertPasskey(
  tx: Connection,
  tenant: string,
  {
    carriedRoles,
    ...passkey
  }: Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'> & { carriedRoles: CarriedRoles },
): Promise<boolean> {
  const prisma = await tx.prisma();
  const publicKey = new Uint8Array(passkey.publicKey);
  const data = [{ ...passkey, ...storedRoles(carriedRoles), tenant, publicKey }];
  return (await prisma.passkey.createMany({ data, skipDuplicates: true })).count > 0;
}

export async function notePasskeyUse(
  sql: Connection,
  tenant: string,
  id: string,
  counter: number,
): Promise<boolean> {
  const prisma = await sql.prisma();
  // One UPDATE with these conditions, so that each of several simultaneous uses sees the counter of the previous one.
  const { count } = await prisma.passkey.updateMany({
    where: { tenant, id, counter: counter === 0 ? 0 : { lt: counter } },
    data: { counter, lastUsedAt: new Date() },
  });
  return count > 0;
}

const deleteAll = statement({
  name: 'passkeys.delete_of_subject',
  reason: 'atomic',
  text: 'DELETE FROM auth.passkeys WHERE tenant = $tenant AND subject_id = $subjectId RETURNING name, transports',
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { name: 'text', transports: 'text[]!' },
});

export function deletePasskeysOf(
  tx: Sql,
  tenant: string,
  subjectId: string,
): Promise<Pick<StoredPasskey, 'name' | 'transports'>[]> {
  return deleteAll.rows(tx, { tenant, subjectId });
}

export async function deletePasskey(
  tx: Connection,
  tenant: string,
  subjectId: string,
  id: string,
): Promise<boolean> {
  const prisma = await tx.prisma();
  return (await prisma.passkey.deleteMany({ where: { tenant, subjectId, id } })).count > 0;
}

export const passkeyStore: PasskeyStore = {
  list: listPasskeys,
  find: findPasskey,
  insert: insertPasskey,
  noteUse: notePasskeyUse,
  delete: deletePasskey,
  deleteOf: deletePasskeysOf,
};
