/**
 * What a program is made of, in CycloneDX 1.6 (ECMA-424): the packages whose code is really in it, and not all that are installed. The same
 * build gives the same text: it has no time and no serial number.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param program name of the program
 * @param folders of the packages in it
 * @returns JSON text
 */
export async function billOfMaterials(program, folders) {
  const [own, lock] = await Promise.all([manifestOf('.'), lockfile()]);
  const found = await Promise.all(folders.map((folder) => componentOf(folder, lock)));
  // The same version may be in more than one folder.
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

/** One identifier of SPDX, an expression of several, or a name of another kind (some packages say an object, as long ago). */
function licensesOf(license) {
  const text = typeof license === 'string' ? license : license.type;
  if (/ (OR|AND|WITH) /.test(text)) return [{ expression: text.replace(/^\((.*)\)$/, '$1') }];
  return [{ license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } }];
}

/** Subresource Integrity, as lock files have it: `sha512-` and base64. */
function hashesOf(integrity) {
  const [, bits, digest] = /^sha(\d+)-(.+)$/.exec(integrity.split(' ')[0]) ?? [];
  return [{ alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }];
}
