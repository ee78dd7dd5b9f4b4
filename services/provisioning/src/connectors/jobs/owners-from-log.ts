import type { Database } from '../../database/data/database.ts';
import { type Ownerless, ownerless, takeFoundOwner } from '../data/ownerless-connectors.ts';
import { NoSuchOwner, type Owners, whoMakes } from '../domain/ownership.ts';

interface Options {
  database: Pick<Database, 'sql' | 'transaction'>;
  owners: Pick<Owners, 'name'>;
}

/** Connectors of one round. */
const atOnce = 50;

/**
 * Connectors that were made before there were owners belong to who made them, or for whom an app did, as the log says; if they could
 * own one now. What else there is stays nobody's, and isn't looked at again.
 * @returns how many it looked at
 * @throws ServiceUnavailable
 */
export async function findOwners({ database, owners }: Options): Promise<number> {
  const found = await ownerless(database.sql, atOnce);
  for (const connector of found) await give({ database, owners }, connector);
  return found.length;
}

async function give({ database, owners }: Options, { tenant, id, madeBy }: Ownerless): Promise<void> {
  const maker = madeBy && whoMakes(madeBy);
  const owner = maker === undefined || maker === null ? undefined : await owners.name(tenant, maker);
  try {
    await takeFoundOwner(database, { tenant, id }, owner);
  } catch (error) {
    // They left in between: it is nobody's.
    if (!(error instanceof NoSuchOwner)) throw error;
    await takeFoundOwner(database, { tenant, id }, undefined);
  }
}
