/**
 * The home of a system that has been migrated and seeded, to begin others with: from a copy of it a system is there in half the time. It is
 * taken from a running system, with PostgreSQL's own means for that (a base backup), so nothing has to be stopped for it.
 */

import { spawn } from 'node:child_process';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '@ostiary/embedded/system';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';

/** What a home consists of besides the cluster. */
const files = ['postgres.password', 'secrets.json', 'demo.json'];
/** Takes it from a running, seeded system. @param target a folder that isn't there yet */
export async function prepareHome({ home, databaseUrl }: System, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await everythingArrived(client);
    await mkdir(target, { mode: (await stat(home)).mode & 0o777 });
    for (const file of files) await copy(join(home, file), join(target, file));
    await client.query("SELECT pg_backup_start('prepared home', true)");
    await copy(join(home, 'postgres'), join(target, 'postgres'));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // What was written meanwhile; the server that starts on the copy replays it.
    await copyInto(join(home, 'postgres', 'pg_wal'), join(target, 'postgres', 'pg_wal'));
    await rm(join(target, 'postgres', 'postmaster.pid'), { force: true });
    await writeInCluster(join(target, 'postgres'), 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Fills an empty folder with what was prepared. */
export const copyHome = (prepared: string, home: string): Promise<void> => copyInto(prepared, home);

/** A copy begins with an empty Valkey: what was only on its way there would never arrive. */
async function everythingArrived(client: pg.Client): Promise<void> {
  const undelivered = async (): Promise<number | undefined> => {
    const { rows } = await client.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM directory.outbox_deliveries',
    );
    return rows[0]?.waiting;
  };
  await eventually(undelivered, (waiting) => waiting === 0);
}

/** Writes a file that belongs to whom the cluster belongs to. */
async function writeInCluster(cluster: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(join(cluster, 'PG_VERSION'));
  await writeFile(join(cluster, name), text, { mode: 0o600 });
  await chown(join(cluster, name), uid, gid);
}

/** What is in a folder, into another that is there. */
const copyInto = (from: string, to: string): Promise<void> => copy(`${from}/.`, to);

/** With owners and modes, which Node's own copying leaves out: the cluster may belong to another account. */
async function copy(from: string, to: string): Promise<void> {
  const child = spawn('cp', ['-a', from, to], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines = said.split('\n').filter((line) => line !== '');
  // A file of a cluster that is in use may go away while it is copied; replaying says so, if it was needed.
  const gone = lines.length > 0 && lines.every((line) => /No such file/.test(line));
  if (code !== 0 && !gone) throw new Error(`${from} cannot be copied: ${said}`);
}
