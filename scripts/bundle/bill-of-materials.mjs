/**
 * Bill of materials of a program in CycloneDX 1.6 (ECMA-424), with the packages in its bundle instead of all installed
 * ones. Without time and serial number, so that a build is reproducible.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param program name of the program
 * @param folders of its packages
 * @returns JSON text
 */
export async function billOfMaterials(program, folders) {
  const [own, lock] = await Promise.all([manifestOf('.'), lockfile()]);
  const found = await Promise.all(folders.map((folder) => componentOf(folder, lock)));
  // The same version may be in several folders.
  const components = [...new Map(found.map((component) => [component.purl, component])).values()];
  components.sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const name = `${own.name}/${program}`;
  const metadata = {
    component: {
      type: 'application',
      'bom-ref': name,
      name,
      version: own.version,
      licenses: licensesOf(own.license),
    },
  };
  const dependencies = [{ ref: name, dependsOn: components.map(({ purl }) => purl) }];
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components, dependencies };
  return `${JSON.stringify(bom, null, 1)}\n`;
}

const manifestOf = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const lockfile = async () => JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;

async function componentOf(folder, lock) {
  const { name, version, license } = await manifestOf(folder);
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;
  const { integrity } = lock[relative(root, folder)] ?? {};
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
  };
}

/** Returns an SPDX identifier, an expression, or another name (some old packages have an object). */
function licensesOf(license) {
  const text = typeof license === 'string' ? license : license.type;
  if (/ (OR|AND|WITH) /.test(text)) return [{ expression: text.replace(/^\((.*)\)$/, '$1') }];
  return [{ license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } }];
}

/** Returns the hash of a Subresource Integrity value in a lock file: `sha512-` and base64. */
function hashesOf(integrity) {
  const [, bits, digest] = /^sha(\d+)-(.+)$/.exec(integrity.split(' ')[0]) ?? [];
  return [{ alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }];
}
