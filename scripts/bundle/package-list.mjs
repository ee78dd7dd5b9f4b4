import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFoldersOf } from './packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Vite plugin that writes `packages.json` to dist: the folders of the bundled packages, from the root of the
 * repository. `console.mjs` reads their licences.
 */
export function packageList() {
  return {
    name: 'package list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      // The path of a module that a plugin derived from another begins with NUL.
      const folders = packageFoldersOf(modules.map((id) => id.replace(/^\0/, '')));
      const source = JSON.stringify(folders.map((folder) => relative(root, folder)));
      this.emitFile({ type: 'asset', fileName: 'packages.json', source });
    },
  };
}
