import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect } from './migrate.ts';

export interface ScratchDatabase {
  /** Connects to the new, empty database. */
  url: string;
  /** Removes it, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** Makes a database beside the one that `url` names, on the same server: empty, or a copy of `template` (to which nobody is connected). */
export async function createScratchDatabase(
  url: string,
  prefix: string,
  template = 'template0',
): Promise<ScratchDatabase> {
  const name = `${prefix}_${Date.now().toString(36)}_${randomBytes(5).toString('hex')}`;
  const admin = await connect(url);
  try {
    // Copying files is ten times as fast as writing all pages into the log.
    await admin.query(
      `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY`,
    );
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
