import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFoldersOf } from './packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A plugin of Vite that writes down, as `packages.json` in dist, which packages the code in its files comes from: their folders, from the
 * root of the repository. `console.mjs` tells their licences by it.
 */
export function packageList() {
  return {
    name: 'package list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      // A module that a plugin made of another has a NUL in front of its path.
      const folders = packageFoldersOf(modules.map((id) => id.replace(/^\0/, '')));
      const source = JSON.stringify(folders.map((folder) => relative(root, folder)));
      this.emitFile({ type: 'asset', fileName: 'packages.json', source });
    },
  };
}
