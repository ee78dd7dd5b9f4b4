import { existsSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { end, identify, type ProcessIdentity } from '../liveness.ts';
import { type Lock, LockHeld, takeLock } from '../lock.ts';
import { removePostgres } from '../postgres.ts';
import { fileProblem, StartError } from '../start-error.ts';
import { removeValkey } from '../valkey.ts';
import { privateFolder, readJson, writePrivate } from './private-file.ts';

/** Information about the owner of a home, for processes that find it locked. */
interface LockDetails {
  origin: string;
}

// A new cluster takes about 40 MB, and its first write-ahead log files the same.
const firstStartBytes = 200 * 1024 * 1024;
const laterStartBytes = 32 * 1024 * 1024;

/** Folder with an installation's state, locked by one system at a time. */
export class Home {
  readonly path: string;
  #lock: Lock<LockDetails> | undefined;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** The edge reports readiness only while this file exists. */
  get readyFile(): string {
    return this.file('ready');
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  logFile(process: string): string {
    return this.file('logs', `${process}.log`);
  }

  async claim(): Promise<void> {
    await privateFolder(this.path);
    try {
      this.#lock = await takeLock<LockDetails>(this.file('lock.json'));
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      const origin = (error.holder as { details?: LockDetails }).details?.origin;
      throw new StartError(
        `Ostiary already runs from ${this.path}${origin === undefined ? '' : ` at ${origin}`} (process ${error.holder.pid}): stop it with Ctrl-C there, or start a second one with another port and home: PORT=5000 OSTIARY_HOME=.ostiary-2 npm start`,
      );
    }
    await mkdir(this.file('logs'), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw fileProblem(error, this.path);
    });
  }

  /** Records the address of the system that locks the home. */
  async describe(details: LockDetails): Promise<void> {
    await this.#lock?.describe(details);
  }

  async release(): Promise<void> {
    await this.#lock?.release();
  }

  /** Ends processes left by a killed supervisor and its killed guardian. */
  async endLeftovers(): Promise<void> {
    const leftovers = (await readJson<ProcessIdentity[]>(this.file('processes.json'))) ?? [];
    await Promise.all(leftovers.map((identity) => end(identity, 'SIGTERM', 15_000)));
  }

  /** Records the running processes for `endLeftovers`. */
  async record(pids: readonly (number | undefined)[]): Promise<void> {
    const identities = pids
      .map((pid) => (pid === undefined ? undefined : identify(pid)))
      .filter((identity) => identity !== undefined);
    await writePrivate(this.file('processes.json'), JSON.stringify(identities));
  }

  /** Removes embedded databases, secrets and demo.json. */
  async empty(): Promise<void> {
    try {
      await removePostgres(this.file('postgres'));
      await removeValkey(this.file('valkey'));
      for (const name of ['secrets.json', 'demo.json']) await rm(this.file(name), { force: true });
    } catch (error) {
      throw fileProblem(error, this.path);
    }
  }

  /** @param withDatabase whether PostgreSQL is embedded, with its data here */
  async assertRoom(withDatabase: boolean): Promise<void> {
    const first = withDatabase && !existsSync(this.file('postgres', 'PG_VERSION'));
    const { bavail, bsize } = await statfs(this.path);
    const available = bavail * bsize;
    const needed = first ? firstStartBytes : laterStartBytes;
    if (available >= needed) return;
    const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
    throw new StartError(
      `The disk that holds ${this.path} is full (${megabytes(available)} MB free, ${megabytes(needed)} MB needed): free some space there, or choose another place with OSTIARY_HOME.`,
    );
  }
}
