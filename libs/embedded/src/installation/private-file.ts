import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, fileProblem } from '../start-error.ts';

// Servers run by root use another account, which must reach its own files (but not list others).
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Creates a folder that only its owner can read; an existing one is unchanged. */
export async function privateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: folderMode });
  } catch (error) {
    throw fileProblem(error, path);
  }
}

/** Writes a file that only its owner can read (0600), atomically. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileProblem(error, dirname(path));
  }
}

/** Returns the parsed content of a JSON file; undefined if it is missing or invalid. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileProblem(error, path);
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
