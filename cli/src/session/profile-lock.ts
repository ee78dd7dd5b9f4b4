import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';

const patienceMs = 40_000;

/**
 * Runs exclusively among all processes that use a file. Two refreshes with the same token would count as reuse, and the
 * server would revoke the grant (RFC 9700 §4.14.2).
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const until = performance.now() + patienceMs;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  while (!(await taken(lock))) {
    if (!(await held(lock))) {
      await rm(lock, { force: true });
      continue;
    }
    if (performance.now() > until)
      throw new Failure('conflict', `Another ostiary process holds ${lock}.`, `rm ${lock}`);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

/** Reports whether the process that holds the lock runs. A new lock without a process id counts as held. */
async function held(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  const pid = Number(text);
  if (text === '') {
    await sleep(100);
    return (await readFile(lock, 'utf8').catch(() => '')) !== '';
  }
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
