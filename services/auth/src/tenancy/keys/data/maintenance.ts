import { type Database, sealedColumn } from '@ostiary/database';
import { keptKeyContext, type SealedColumn } from '@ostiary/service';
import { pruning } from '../../../platform/database/data/pruning.ts';
import type { MasterKeys } from '../domain/keys.ts';
import { signingKeyContext } from './signing-keys.ts';

/** Declares a column with sealed values, which are encrypted again when the key is replaced. */
export type SealedColumnOf = (database: Database<unknown>, keys: MasterKeys) => SealedColumn;

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

export const pruneSigningKeys = pruning(
  'maintenance.prune-signing-keys',
  'signing_keys',
  "state = 'retired' AND retired_at < now() - interval '30 days'",
  'tenant, kid',
);

export const pruneUsedValues = pruning(
  'maintenance.prune-used-values',
  'used_values',
  'expires_at < now()',
  'tenant, digest',
);
