import { type Database, keptKeyTable } from '@ostiary/database';
import { KeptKeys, openBytes, type RingKey, type ServiceKit } from '@ostiary/service';
import type { PrismaClient } from '../../../platform/database/generated/client.ts';
import type { MasterKeys } from '../domain/keys.ts';
import { deriveKey, type KeptPurpose, keptPurposes } from '../domain/secret.ts';
import { signingKeyContext } from './signing-keys.ts';

type Tables = Database<PrismaClient>;
const variable = 'ENCRYPTION_KEY';

/** Creates the keys that stay when ENCRYPTION_KEY is replaced. */
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

/** Returns the master key that encrypts the oldest signing key. Every database that was used has one. */
async function masterOf(database: Tables, keys: MasterKeys): Promise<RingKey | undefined> {
  const prisma = await database.sql.prisma();
  const row = await prisma.signingKey.findFirst({
    select: { tenant: true, kid: true, privateJwk: true },
    orderBy: { createdAt: 'asc' },
  });
  if (!row) return undefined;
  const sealed = Buffer.from(row.privateJwk);
  const master = keys.of('signing-key').all.find((key) => {
    try {
      return openBytes({ current: key, all: [key] }, sealed, signingKeyContext(row.tenant, row.kid));
    } catch {
      return false;
    }
  });
  if (!master) throw new Error(`${variable} is not the key that encrypts this database.`);
  return keys.masters.all.find(({ id }) => id === master.id);
}
