import { type Database, type Sql, sealedColumn, statement } from '@ostiary/database';
import { keptKeyContext, type SealedColumn } from '@ostiary/service';
import type { MasterKeys } from '../domain/keys.ts';
import { signingKeyContext } from './signing-keys.ts';

/** Declares a column with sealed values, which are encrypted again when the key is replaced. */
export type SealedColumnOf = (
  database: Pick<Database<unknown>, 'sql' | 'transaction'>,
  keys: MasterKeys,
) => SealedColumn;

const keptKeys = sealedColumn({ table: 'auth.kept_keys', column: 'sealed', id: [['purpose', 'text']] });

/** Keys that seal other values. */
export const keptKeyColumn: SealedColumnOf = (database, keys) => ({
  rows: keptKeys(database),
  ring: keys.of('kept-keys'),
  context: ([purpose = '']) => keptKeyContext(purpose),
});

const signingKeys = sealedColumn({
  table: 'auth.signing_keys',
  column: 'private_jwk',
  id: [
    ['tenant', 'text'],
    ['kid', 'text'],
  ],
});

export const signingKeyColumn: SealedColumnOf = (database, keys) => ({
  rows: signingKeys(database),
  ring: keys.of('signing-key'),
  context: ([tenant = '', kid = '']) => signingKeyContext(tenant, kid),
});

export const signingKeyNode = `SELECT 'SigningKey' AS type, kid AS id, NULL AS "ownerId" FROM auth.signing_keys
   WHERE tenant = $tenant AND kid = ANY($ids::text[])`;

const pruneKeys = statement({
  name: 'upkeep.prune-signing-keys',
  reason: 'set',
  text: `DELETE FROM auth.signing_keys WHERE (tenant, kid) IN (
     SELECT tenant, kid FROM auth.signing_keys WHERE state = 'retired' AND retired_at < now() - interval '30 days'
     LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

export const pruneSigningKeys = (sql: Sql, limit: number): Promise<number> => pruneKeys.count(sql, { limit });

const pruneValues = statement({
  name: 'upkeep.prune-used-values',
  reason: 'set',
  text: `DELETE FROM auth.used_values WHERE (tenant, digest) IN (
     SELECT tenant, digest FROM auth.used_values WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

export const pruneUsedValues = (sql: Sql, limit: number): Promise<number> =>
  pruneValues.count(sql, { limit });
