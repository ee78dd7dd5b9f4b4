import { constants, type FileHandle, open, rm } from 'node:fs/promises';
import { Failure } from '../failure.ts';

/** A file for secrets, created before the secrets exist: with an invalid path, none are created and lost. */
export class ReservedFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #written = false;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** @throws Failure usage, when the file exists or cannot be written */
  static async at(path: string): Promise<ReservedFile> {
    const handle = await open(path, 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
      const left = error.code === 'EEXIST' ? await leftBehind(path) : undefined;
      if (left !== undefined) return left;
      const why = error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code})`;
      throw new Failure('usage', `${path} ${why}.`, 'Specify a file that does not exist.');
    });
    return new ReservedFile(path, handle);
  }

  async write(text: string): Promise<void> {
    await this.#handle.writeFile(text);
    await this.#handle.sync();
    this.#written = true;
  }

  /** Closes the file, and deletes it if nothing was written. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (!this.#written) await rm(this.path, { force: true });
  }
}

/** Opens an empty file that a killed command had reserved, if only this user can access it. */
async function leftBehind(path: string): Promise<FileHandle | undefined> {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined);
  const found = await handle?.stat();
  const isOurs = process.getuid === undefined || found?.uid === process.getuid();
  if (found?.isFile() && found.size === 0 && found.nlink === 1 && (found.mode & 0o077) === 0 && isOurs)
    return handle;
  await handle?.close();
  return undefined;
}
