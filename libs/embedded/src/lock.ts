import { link, rename, rm, writeFile } from 'node:fs/promises';
import { readJson } from './installation/private-file.ts';
import { isAlive, type ProcessIdentity, self } from './liveness.ts';
import { codeOf, fileProblem } from './start-error.ts';

export interface Lock<D> {
  /** Adds details for processes that find the lock held. */
  describe(details: D): Promise<void>;
  release(): Promise<void>;
}

/** Error of a lock held by another running process; `holder.details` are its own. */
export class LockHeld<D> extends Error {
  readonly holder: ProcessIdentity & { details?: D };

  constructor(path: string, holder: ProcessIdentity & { details?: D }) {
    super(`${path} is held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/**
 * Takes a lock for the lifetime of this process: a file with the id and start time of its holder. A stale one
 * is replaced.
 * @throws LockHeld while the holder runs; StartError if the file cannot be written
 */
export async function takeLock<D>(path: string): Promise<Lock<D>> {
  const me = self();
  const draft = `${path}.${me.pid}`;
  try {
    await writeFile(draft, JSON.stringify(me), { mode: 0o600 });
  } catch (error) {
    throw fileProblem(error, path);
  }
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // link() instead of open(wx): the file appears with its content, so that no process reads a partial
        // lock.
        await link(draft, path);
        break;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw fileProblem(error, path);
      }
      const holder = await readJson<ProcessIdentity & { details?: D }>(path);
      if (holder !== undefined && isAlive(holder)) throw new LockHeld<D>(path, holder);
      if (attempt === 5) throw new Error(`${path} cannot be taken over`);
      await clearStale(path, draft);
    }
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  return {
    describe: (details) => writeFile(path, JSON.stringify({ ...me, details }), { mode: 0o600 }),
    release: () => rm(path, { force: true }),
  };
}

/** Removes a stale lock, unless another process has just replaced it with its own. */
async function clearStale(path: string, draft: string): Promise<void> {
  const aside = `${draft}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return; // replaced by another process
  }
  const removed = await readJson<ProcessIdentity>(aside);
  if (removed !== undefined && isAlive(removed)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}
