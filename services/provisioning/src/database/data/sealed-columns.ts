import { keptKeyTable, sealedColumn } from '@ostiary/database';
import { KeptKeys, type KeyRing, keptKeyContext, Reencryption, type ServiceKit } from '@ostiary/service';
import { firstKey, type KeptPurpose, keptPurposes, renewedKeys } from '../keys.ts';
import { type Database, schemaName } from './database.ts';

const variable = 'TOKEN_KEY';

interface Given {
  database: Database;
  /** TOKEN_KEY, and the second valid key. */
  masters: KeyRing;
  kit: ServiceKit;
}

/** Creates the keys that stay when TOKEN_KEY is replaced. */
export const createKeptKeys = ({ database, masters, kit }: Given): KeptKeys<KeptPurpose> =>
  new KeptKeys({
    variable,
    masters,
    ring: renewedKeys(masters, 'kept-keys'),
    purposes: keptPurposes,
    derive: firstKey,
    store: keptKeyTable(database.sql, schemaName),
    async master() {
      if (masters.all.length < 2) return undefined;
      const token = await database.prisma.connectorToken.findFirst({ select: { id: true } });
      // A digest does not show which of two keys it was made with.
      if (token) throw new Error(`Start once with only the previous ${variable}, then replace it.`);
      return undefined;
    },
    kit,
  });

const sealedKeys = sealedColumn({
  table: 'provisioning.kept_keys',
  column: 'sealed',
  id: [['purpose', 'text']],
});

/** Creates the re-encryption of sealed columns: here the kept keys. */
export const createReencryption = ({ database, masters, kit }: Given): Reencryption =>
  new Reencryption({
    variable,
    leading: {
      rows: sealedKeys(database),
      ring: renewedKeys(masters, 'kept-keys'),
      context: ([purpose = '']) => keptKeyContext(purpose),
    },
    columns: [],
    kit,
  });
