/** Up to the folder of the innermost package: `node_modules/a/node_modules/@b/c`. */
const packageFolder = /^(.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The folders of the packages that a program is made of, each once.
 * @param metafile what esbuild says of a build
 * @param beside paths of files that were copied from packages instead
 */
export function packageFolders(metafile, beside) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return packageFoldersOf([...used, ...beside]);
}

/** The folders of the packages that these files are in, each once. */
export function packageFoldersOf(paths) {
  const folders = paths.map((path) => packageFolder.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}
