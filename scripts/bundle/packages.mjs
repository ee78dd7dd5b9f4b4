/** Matches the folder of the innermost package: `node_modules/a/node_modules/@b/c`. */
const packageFolder = /^(.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Returns the distinct folders of the packages of a program.
 * @param metafile of esbuild's build
 * @param beside paths of files that were copied from packages
 */
export function packageFolders(metafile, beside) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return packageFoldersOf([...used, ...beside]);
}

/** Returns the distinct package folders of files. */
export function packageFoldersOf(paths) {
  const folders = paths.map((path) => packageFolder.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}
