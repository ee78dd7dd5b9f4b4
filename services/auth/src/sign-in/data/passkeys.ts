import type { Sql } from '@ostiary/database';
import type { PasskeyStore, StoredPasskey } from '../domain/credential-store.ts';

const columns = `id, subject_id AS "subjectId", credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, name, synced, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export async function listPasskeys(sql: Sql, tenant: string, subjectId: string): Promise<StoredPasskey[]> {
  const { rows } = await sql.query<StoredPasskey>(
    `SELECT ${columns} FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2 ORDER BY created_at, id`,
    [tenant, subjectId],
  );
  return rows;
}

/** The passkey of this tenant with this credential id, and its user's epoch; those of other tenants don't exist here. */
export async function findPasskey(
  sql: Sql,
  tenant: string,
  credentialId: string,
): Promise<(StoredPasskey & { subjectEpoch: number }) | undefined> {
  const { rows } = await sql.query<StoredPasskey & { subjectEpoch: number }>(
    `SELECT ${columns}, (SELECT s.epoch FROM auth.subjects s WHERE s.tenant = p.tenant AND s.id = p.subject_id) AS "subjectEpoch"
       FROM auth.passkeys p WHERE tenant = $1 AND credential_id = $2`,
    [tenant, credentialId],
  );
  return rows[0];
}

/** False when the credential id is taken already. */
export async function insertPasskey(
  tx: Sql,
  tenant: string,
  passkey: Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.passkeys
       (tenant, id, subject_id, credential_id, public_key, counter, transports, name, synced)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (tenant, credential_id) DO NOTHING`,
    [
      tenant,
      passkey.id,
      passkey.subjectId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.name,
      passkey.synced,
    ],
  );
  return rowCount > 0;
}

/**
 * Notes a use. A counter that doesn't rise tells of a copied key (WebAuthn §6.1.1), also when two uses come at once;
 * authenticators without a counter always say 0.
 * @returns false when the counter didn't rise, or the passkey is gone
 */
export async function notePasskeyUse(
  sql: Sql,
  tenant: string,
  id: string,
  counter: number,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE auth.passkeys SET counter = $3, last_used_at = now()
      WHERE tenant = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
    [tenant, id, counter],
  );
  return rowCount > 0;
}

/** Deletes every passkey of a user; returns what they were. */
export async function deletePasskeysOf(
  tx: Sql,
  tenant: string,
  subjectId: string,
): Promise<Pick<StoredPasskey, 'name' | 'transports'>[]> {
  const { rows } = await tx.query<Pick<StoredPasskey, 'name' | 'transports'>>(
    'DELETE FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2 RETURNING name, transports',
    [tenant, subjectId],
  );
  return rows;
}

export async function deletePasskey(
  tx: Sql,
  tenant: string,
  subjectId: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'DELETE FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2 AND id = $3',
    [tenant, subjectId, id],
  );
  return rowCount > 0;
}

export const passkeyStore: PasskeyStore = {
  list: listPasskeys,
  find: findPasskey,
  insert: insertPasskey,
  noteUse: notePasskeyUse,
  delete: deletePasskey,
  deleteOf: deletePasskeysOf,
};
