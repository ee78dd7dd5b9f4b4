/** Lists the files of a root. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface File {
  /** Path from the root. */
  path: string;
  kind: 'file' | 'folder' | 'link';
  size: number;
  mode: number;
  uid: number;
  gid: number;
}

export const filesOf = (root: string): File[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { size, mode, uid, gid } = lstatSync(path);
    const kind = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file';
    return { path: path.slice(root.length + 1), kind, size: kind === 'file' ? size : 0, mode, uid, gid };
  });

export const bytesOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
