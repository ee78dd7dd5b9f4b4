#!/usr/bin/env node
/**
 * Copies the console to the gateway: `node ../scripts/bundle/console.mjs ../console/dist dist/console` in gateway/.
 * From the build of the console it writes
 *
 *   files/          the files for browsers, each also as Brotli (.br) and gzip (.gz) where that is shorter
 *   files.json      the list of files with media types, digests for ETags, and codings
 *   documents.json  the graph operations of the console, which become trusted documents
 *   notices.txt     the licences of the packages in the files
 *   sbom.json       these packages, for vulnerability scanners (CycloneDX)
 *
 * The gateway serves only files in the list, so no path of a request is looked up in a folder. Without a console the
 * list
 * is empty.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { billOfMaterials } from './bill-of-materials.mjs';
import { thirdPartyNotices } from './notices.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** Files that are already compressed. */
const dense = ['.png', '.webp', '.woff2'];

const codings = {
  br: {
    ending: '.br',
    compress: (content) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
    expand: promisify(brotliDecompress),
  },
  gzip: {
    ending: '.gz',
    compress: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    expand: promisify(gunzip),
  },
};
/** Output of the console's build for this step, which is not served. */
const ownNames = ['documents.json', 'packages.json'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const endings = Object.values(codings).map(({ ending }) => ending);

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error('Say where the console is, and where it is put.');

await rm(to, { recursive: true, force: true });
await mkdir(join(to, 'files'), { recursive: true });
const isBuilt = existsSync(join(from, 'index.html'));
const files = isBuilt ? await copyFiles() : {};
await writeFile(join(to, 'files.json'), JSON.stringify(files));
if (isBuilt) {
  await copyFile(join(from, 'documents.json'), join(to, 'documents.json'));
  await writeLicences();
}

/** Writes the licences of the packages that the plugin `packageList` found. */
async function writeLicences() {
  const path = join(from, 'packages.json');
  if (!existsSync(path)) {
    process.stderr.write(
      `${path} is missing, so the console has no licences and no bill of materials (package-list.mjs).\n`,
    );
    return;
  }
  const folders = JSON.parse(await readFile(path, 'utf8')).map((folder) => join(root, folder));
  await writeFile(join(to, 'notices.txt'), await thirdPartyNotices(folders));
  await writeFile(join(to, 'sbom.json'), await billOfMaterials('console', folders));
}

async function copyFiles() {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !ownNames.includes(name) && !endings.some((ending) => name.endsWith(ending)));
  return Object.fromEntries(await Promise.all(names.sort().map(async (name) => [name, await copy(name)])));
}

async function copy(name) {
  const type = types[extname(name)];
  // A name that needs escaping, or without a known media type, is a mistake of the build.
  if (type === undefined || !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name))
    throw new Error(`What is ${name} of the console?`);
  const content = await readFile(join(from, name));
  const target = join(to, 'files', name);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
  const compressed = [];
  for (const [coding, { ending, compress, expand }] of dense.includes(extname(name))
    ? []
    : Object.entries(codings)) {
    const made = await readFile(join(from, name + ending)).catch(() => undefined);
    const isItsOwn = made !== undefined && (await expand(made).catch(() => undefined))?.equals(content);
    const shorter = isItsOwn ? made : await compress(content);
    if (shorter.length >= content.length) continue;
    await writeFile(target + ending, shorter);
    compressed.push(coding);
  }
  return { type, digest: createHash('sha256').update(content).digest('base64url'), codings: compressed };
}
