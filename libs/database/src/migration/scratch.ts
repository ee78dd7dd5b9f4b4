import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect } from './migrate.ts';

export interface ScratchDatabase {
  /** Connects to the new, empty database. */
  url: string;
  /** Removes it, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** Makes an empty database beside the one that `url` names, on the same server. */
export async function createScratchDatabase(url: string, prefix: string): Promise<ScratchDatabase> {
  const name = `${prefix}_${Date.now().toString(36)}_${randomBytes(5).toString('hex')}`;
  const admin = await connect(url);
  try {
    await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`);
  } finally {
    await admin.end();
  }
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    async drop() {
      const client = await connect(url);
      try {
        await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
      } finally {
        await client.end();
      }
    },
  };
}
