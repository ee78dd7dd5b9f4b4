import { type Database, keptKeyTable, sealedColumn } from '@ostiary/database';
import {
  KeptKeys,
  keptKeyContext,
  openBytes,
  Reencryption,
  type RingKey,
  type SealedColumn,
  type ServiceKit,
} from '@ostiary/service';
import { clientSecretContext } from '../../clients/data/index.ts';
import { totpContext } from '../../sign-in/index.ts';
import { receiverContext } from '../../signals/index.ts';
import type { MasterKeys } from '../domain/keys.ts';
import { deriveKey, type KeptPurpose, keptPurposes } from '../domain/secret.ts';
import { signingKeyContext } from './signing-keys.ts';

type Tables = Pick<Database<unknown>, 'sql' | 'transaction'>;
const variable = 'ENCRYPTION_KEY';

/** The keys that stay when ENCRYPTION_KEY is replaced. */
export const createKeptKeys = (o: {
  database: Tables;
  keys: MasterKeys;
  kit: ServiceKit;
}): KeptKeys<KeptPurpose> =>
  new KeptKeys({
    variable,
    masters: o.keys.masters,
    ring: o.keys.of('kept-keys'),
    purposes: keptPurposes,
    derive: deriveKey,
    store: keptKeyTable(o.database.sql, 'auth'),
    master: () => masterOf(o.database, o.keys),
    kit: o.kit,
  });

/** The master under which the oldest signing key is; there is one as soon as the service was ever used. */
async function masterOf(database: Tables, keys: MasterKeys): Promise<RingKey | undefined> {
  const { rows } = await database.sql.query<{ tenant: string; kid: string; sealed: Buffer }>(
    'SELECT tenant, kid, private_jwk AS sealed FROM auth.signing_keys ORDER BY created_at LIMIT 1',
  );
  const [row] = rows;
  if (!row) return undefined;
  const master = keys.of('signing-key').all.find((key) => {
    try {
      return openBytes({ current: key, all: [key] }, row.sealed, signingKeyContext(row.tenant, row.kid));
    } catch {
      return false;
    }
  });
  if (!master) throw new Error(`${variable} is not the key this database is encrypted with.`);
  return keys.masters.all.find(({ id }) => id === master.id);
}

/** Everything that is kept sealed. What is in none of these columns isn't sealed anew when the key is replaced. */
export const sealedColumns = (
  database: Tables,
  keys: MasterKeys,
): { leading: SealedColumn; columns: readonly SealedColumn[] } => ({
  leading: {
    rows: sealedColumn(database, {
      table: 'auth.kept_keys',
      column: 'sealed',
      id: [['purpose', 'text']],
    }),
    ring: keys.of('kept-keys'),
    context: ([purpose = '']) => keptKeyContext(purpose),
  },
  columns: [
    {
      rows: sealedColumn(database, {
        table: 'auth.signing_keys',
        column: 'private_jwk',
        id: [
          ['tenant', 'text'],
          ['kid', 'text'],
        ],
      }),
      ring: keys.of('signing-key'),
      context: ([tenant = '', kid = '']) => signingKeyContext(tenant, kid),
    },
    {
      rows: sealedColumn(database, {
        table: 'auth.client_secrets',
        column: 'sealed',
        id: [
          ['tenant', 'text'],
          ['id', 'uuid'],
        ],
        place: ['tenant', 'client_id', 'id'],
      }),
      ring: keys.of('client-secret-seal'),
      context: ([tenant = '', clientId = '', id = '']) => clientSecretContext(tenant, clientId, id),
    },
    {
      rows: sealedColumn(database, {
        table: 'auth.totp_factors',
        column: 'secret',
        id: [
          ['tenant', 'text'],
          ['subject_id', 'uuid'],
        ],
      }),
      ring: keys.of('totp'),
      context: ([tenant = '', subjectId = '']) => totpContext(tenant, subjectId),
    },
    {
      rows: sealedColumn(database, {
        table: 'auth.receivers',
        column: 'secrets',
        id: [
          ['tenant', 'text'],
          ['id', 'uuid'],
        ],
      }),
      ring: keys.of('receiver'),
      context: ([tenant = '', id = '']) => receiverContext(tenant, id),
    },
  ],
});

export const createReencryption = (o: {
  database: Tables;
  keys: MasterKeys;
  kit: ServiceKit;
}): Reencryption => new Reencryption({ variable, ...sealedColumns(o.database, o.keys), kit: o.kit });
