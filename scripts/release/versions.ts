/** Reads and writes the common version of all released parts. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  version?: string;
  workspaces?: string[];
  [field: string]: unknown;
}

const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const manifestAt = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

/** Returns the folders of the packages, the root first. */
function packageFolders(root: string): string[] {
  const patterns = manifestAt(root, '').workspaces ?? [];
  const folders = globSync(patterns, { cwd: root }).toSorted();
  return ['', ...folders.filter((folder) => existsSync(join(root, folder, 'package.json')))];
}

/** Constants in programs, and charts. */
const textFiles: readonly { files: string; line: RegExp }[] = [
  { files: '{libs/*,cli}/src/version.ts', line: /^(export const version = ')([^']+)(';)$/gm },
  { files: '{chart,charts/*}/Chart.yaml', line: /^((?:app)?[vV]ersion: "?)([^"\n]+)("?)$/gm },
];

export interface Place {
  file: string;
  version: string;
}

/** Returns every place with its version. */
export function versionsIn(root: string): Place[] {
  const packages = packageFolders(root).flatMap((folder) => {
    const file = join(folder, 'package.json');
    const manifest = manifestAt(root, folder);
    const own = dependencyFields.flatMap((field) =>
      Object.entries((manifest[field] ?? {}) as Record<string, string>)
        .filter(([name]) => name.startsWith('@ostiary/'))
        .map(([, version]) => ({ file, version })),
    );
    return [{ file, version: manifest.version ?? '' }, ...own];
  });
  const lock = lockfileOf(root);
  const locked = [lock.version, ...packageFolders(root).map((folder) => lock.packages[folder]?.version)].map(
    (version = '') => ({ file: 'package-lock.json', version }),
  );
  const texts = textFiles.flatMap(({ files, line }) =>
    globSync(files, { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(line)].map(([, , version = '']) => ({
        file,
        version,
      })),
    ),
  );
  return [...packages, ...locked, ...texts];
}

/** Sets the version in every place. */
export function setVersions(root: string, version: string): void {
  const write = (file: string, value: unknown): void =>
    writeFileSync(join(root, file), `${JSON.stringify(value, null, 2)}\n`);
  for (const folder of packageFolders(root))
    write(join(folder, 'package.json'), withVersion(manifestAt(root, folder), version));
  const lock = lockfileOf(root);
  for (const folder of packageFolders(root)) {
    const entry = lock.packages[folder];
    if (entry !== undefined) lock.packages[folder] = withVersion(entry, version);
  }
  write('package-lock.json', { ...lock, version });
  for (const { files, line } of textFiles) {
    for (const file of globSync(files, { cwd: root })) {
      const path = join(root, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(line, `$1${version}$3`));
    }
  }
}

interface Lockfile extends Manifest {
  packages: Record<string, Manifest>;
}

const lockfileOf = (root: string): Lockfile =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** Our packages depend on the exact version of each other. */
function withVersion(manifest: Manifest, version: string): Manifest {
  const result: Manifest = { ...manifest, version };
  for (const field of dependencyFields) {
    const dependencies = manifest[field] as Record<string, string> | undefined;
    if (dependencies === undefined) continue;
    result[field] = Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [
        name,
        name.startsWith('@ostiary/') ? version : range,
      ]),
    );
  }
  return result;
}
