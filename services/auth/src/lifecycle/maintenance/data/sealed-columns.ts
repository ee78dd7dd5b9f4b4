import { type Database, sealedColumn } from '@ostiary/database';
import { keptKeyContext, Reencryption, type SealedColumn, type ServiceKit } from '@ostiary/service';
import { clientSecretContext } from '../../../clients/data/client-secrets.ts';
import { totpContext } from '../../../identity/index.ts';
import { receiverContext } from '../../../signals/index.ts';
import type { MasterKeys } from '../../../tenancy/index.ts';
import { signingKeyContext } from '../../../tenancy/keys/data/signing-keys.ts';

type Tables = Pick<Database<unknown>, 'sql' | 'transaction'>;
const variable = 'ENCRYPTION_KEY';

const keptKeys = sealedColumn({
  table: 'auth.kept_keys',
  column: 'sealed',
  id: [['purpose', 'text']],
});

const signingKeys = sealedColumn({
  table: 'auth.signing_keys',
  column: 'private_jwk',
  id: [
    ['tenant', 'text'],
    ['kid', 'text'],
  ],
});

const clientSecrets = sealedColumn({
  table: 'auth.client_secrets',
  column: 'sealed',
  optional: true,
  id: [
    ['tenant', 'text'],
    ['id', 'uuid'],
  ],
  place: ['tenant', 'client_id', 'id'],
});

const totpSecrets = sealedColumn({
  table: 'auth.totp_factors',
  column: 'secret',
  id: [
    ['tenant', 'text'],
    ['subject_id', 'uuid'],
  ],
});

const receiverSecrets = sealedColumn({
  table: 'auth.receivers',
  column: 'secrets',
  optional: true,
  id: [
    ['tenant', 'text'],
    ['id', 'uuid'],
  ],
});

/** All columns with sealed values. A value outside of them is not encrypted again when the key is replaced. */
export const sealedColumns = (
  database: Tables,
  keys: MasterKeys,
): { leading: SealedColumn; columns: readonly SealedColumn[] } => ({
  leading: {
    rows: keptKeys(database),
    ring: keys.of('kept-keys'),
    context: ([purpose = '']) => keptKeyContext(purpose),
  },
  columns: columnsOf(database, keys),
});

/** All columns except those of the keys that seal others. */
const columnsOf = (database: Tables, keys: MasterKeys): readonly SealedColumn[] => [
  {
    rows: signingKeys(database),
    ring: keys.of('signing-key'),
    context: ([tenant = '', kid = '']) => signingKeyContext(tenant, kid),
  },
  {
    rows: clientSecrets(database),
    ring: keys.of('client-secret-seal'),
    context: ([tenant = '', clientId = '', id = '']) => clientSecretContext(tenant, clientId, id),
  },
  {
    rows: totpSecrets(database),
    ring: keys.of('totp'),
    context: ([tenant = '', subjectId = '']) => totpContext(tenant, subjectId),
  },
  {
    rows: receiverSecrets(database),
    ring: keys.of('receiver'),
    context: ([tenant = '', id = '']) => receiverContext(tenant, id),
  },
];

export const createReencryption = (o: {
  database: Tables;
  keys: MasterKeys;
  kit: ServiceKit;
}): Reencryption => new Reencryption({ variable, ...sealedColumns(o.database, o.keys), kit: o.kit });
