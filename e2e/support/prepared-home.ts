/**
 * The home of a migrated and seeded system, as a template for others: a system starts from a copy in half the time. It
 * is a base backup of a running system, which need not be stopped.
 */

import { spawn } from 'node:child_process';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '@ostiary/embedded/system';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';

/** Files of a home besides the cluster. */
const files = ['postgres.password', 'secrets.json', 'demo.json'];
/** Copies the home of a running, seeded system. @param target a folder that does not exist yet */
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
    // WAL written during the copy; the server that starts on the copy replays it.
    await copyInto(join(home, 'postgres', 'pg_wal'), join(target, 'postgres', 'pg_wal'));
    await rm(join(target, 'postgres', 'postmaster.pid'), { force: true });
    await writeInCluster(join(target, 'postgres'), 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Fills an empty folder with a prepared home. */
export const copyHome = (prepared: string, home: string): Promise<void> => copyInto(prepared, home);

/** Waits until all events are delivered: a copy starts with an empty Valkey, so queued events would be lost. */
async function everythingArrived(client: pg.Client): Promise<void> {
  const undelivered = async (): Promise<number | undefined> => {
    const { rows } = await client.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM directory.outbox_deliveries',
    );
    return rows[0]?.waiting;
  };
  await eventually(undelivered, (waiting) => waiting === 0);
}

/** Writes a file with the owner of the cluster. */
async function writeInCluster(cluster: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(join(cluster, 'PG_VERSION'));
  await writeFile(join(cluster, name), text, { mode: 0o600 });
  await chown(join(cluster, name), uid, gid);
}

/** Copies the contents of a folder into an existing one. */
const copyInto = (from: string, to: string): Promise<void> => copy(`${from}/.`, to);

/** Copies with owners and modes, which Node does not preserve: the cluster may belong to another account. */
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
  // A file of a running cluster may be deleted during the copy; replay fails if it was needed.
  const gone = lines.length > 0 && lines.every((line) => /No such file/.test(line));
  if (code !== 0 && !gone) throw new Error(`${from} cannot be copied: ${said}`);
}
