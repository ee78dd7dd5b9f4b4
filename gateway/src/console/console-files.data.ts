import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Coding } from './domain/coding.ts';
import type { ConsoleFile, ConsoleFiles } from './domain/console-file.ts';

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** The console's files in the release, listed by its build. */
export class ReleasedConsole implements ConsoleFiles {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, ConsoleFile>;

  private constructor(folder: string, files: ReadonlyMap<string, ConsoleFile>) {
    this.#folder = folder;
    this.#files = files;
  }

  /** @returns undefined when the release has no console @throws Error for a list that cannot be read */
  static async in(folder: string): Promise<ReleasedConsole | undefined> {
    const list = await readFile(join(folder, 'files.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    const files = new Map(Object.entries(JSON.parse(list) as Record<string, ConsoleFile>));
    return files.size === 0 ? undefined : new ReleasedConsole(folder, files);
  }

  /** Path of the manifest of the console's operations. */
  get documents(): string {
    return join(this.#folder, 'documents.json');
  }

  find(name: string): ConsoleFile | undefined {
    return this.#files.get(name);
  }

  read(name: string, coding: Coding | undefined): Promise<Buffer> {
    // Only a listed name becomes a path, never a client's text.
    if (!this.#files.has(name)) throw new Error(`${name} is no file of the console`);
    const ending = coding === undefined ? '' : endings[coding];
    return readFile(join(this.#folder, 'files', name + ending));
  }
}
