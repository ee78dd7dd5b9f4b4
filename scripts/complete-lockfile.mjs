// Adds the native binaries of other platforms to package-lock.json. npm omits optional packages that it could not look
// up
// when the lock file was made (npm/cli#4828); then `npm ci` fails, or installs no binary on another platform.
//   node scripts/complete-lockfile.mjs           (after npm install; --check changes nothing)
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8'));
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  aix: 'aix',
  win32: 'win32',
  windows: 'win32',
};
const processors = {
  arm64: 'arm64',
  arm: 'arm',
  armv7: 'arm',
  armv6: 'arm',
  x64: 'x64',
  64: 'x64',
  ia32: 'ia32',
  x86: 'ia32',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
};

/** Returns the path at which npm resolves `name` from the package at `from`. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

const missing = {};
for (const [from, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const words = name.split(/[/-]/);
    const os = words.map((word) => systems[word]).find(Boolean);
    const cpu = words.map((word) => processors[word]).find(Boolean);
    if (!os || !cpu || !/^\d+\.\d+\.\d+/.test(version) || resolve(from, name)) continue;
    const libc = words.includes('musl')
      ? ['musl']
      : words.includes('gnu') && os === 'linux'
        ? ['glibc']
        : undefined;
    missing[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(entry.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      ...(entry.license ? { license: entry.license } : {}),
      optional: true,
      os: [os],
    };
  }
}

const names = Object.keys(missing);
if (process.argv.includes('--check')) {
  if (names.length > 0) {
    console.error(
      `package-lock.json lacks ${names.length} binaries of other platforms: run node scripts/complete-lockfile.mjs`,
    );
    process.exit(1);
  }
} else if (names.length > 0) {
  const { '': root, ...packages } = { ...lock.packages, ...missing };
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = { '': root, ...Object.fromEntries(sorted) };
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added ${names.length}`);
}
