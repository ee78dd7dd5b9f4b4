import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect } from './migrate.ts';

export interface ScratchDatabase {
  /** URL of the new, empty database. */
  url: string;
  /** Drops it, closing its connections. */
  drop(): Promise<void>;
}

/** Runs work on a connection to a server on which databases are created and dropped. */
export type Administer = <T>(url: string, work: (admin: pg.Client) => Promise<T>) => Promise<T>;

const onOwnConnection: Administer = async (url, work) => {
  const admin = await connect(url);
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
};

/**
 * Creates a database on the server of `url`: empty, or a copy of `template` (which must have no connections).
 */
export async function createScratchDatabase(
  url: string,
  prefix: string,
  {
    template = 'template0',
    administer = onOwnConnection,
  }: { template?: string; administer?: Administer } = {},
): Promise<ScratchDatabase> {
  const name = `${prefix}_${Date.now().toString(36)}_${randomBytes(5).toString('hex')}`;
  // Copying files is ten times as fast as writing all pages to the WAL.
  const creation = `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY`;
  await administer(url, (admin) => admin.query(creation));
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    async drop() {
      await administer(url, (admin) =>
        admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
      );
    },
  };
}
