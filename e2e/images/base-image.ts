/**
 * File system of gcr.io/distroless/cc-debian12, built from its Debian packages, because no registry is available. It
 * contains complete packages, so that the measured size is an upper limit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const baseImage = 'gcr.io/distroless/cc-debian12:nonroot';
/** Environment variables of the image. */
export const baseEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
};

const packages = [
  ...['base-files', 'ca-certificates', 'media-types', 'netbase', 'tzdata'],
  ...['libc6', 'libssl3', 'gcc-12-base', 'libgcc-s1', 'libgomp1', 'libstdc++6'],
];
/** Folders of programs and scripts of the packages. The image has no shell to run them. */
const programs = ['bin', 'sbin', 'usr/bin', 'usr/sbin'];

/** Returns why the base image cannot be built here, or undefined if it can. */
export function baseProblem(): string | undefined {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^VERSION_ID="12"$/m.test(release) || !/^ID=debian$/m.test(release))
    return 'this is not Debian 12, whose packages the base image is made of';
  if (spawnSync('apt-get', ['--version']).status !== 0) return 'there is no apt-get';
  return undefined;
}

/**
 * Unpacks the base. @param folder target; must not exist
 * @param cache folder of downloaded packages
 * @throws Error if a package cannot be downloaded
 */
export function unpackBase(folder: string, cache: string): void {
  const archives = downloaded(cache);
  mkdirSync(folder, { recursive: true });
  for (const archive of archives) execFileSync('dpkg-deb', ['--extract', archive, folder]);
  for (const path of programs) execFileSync('rm', ['-rf', join(folder, path)]);
  const certificates = globSync(join(folder, 'usr/share/ca-certificates/**/*.crt')).toSorted();
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(
    join(folder, 'etc/ssl/certs/ca-certificates.crt'),
    certificates.map((path) => readFileSync(path, 'utf8')).join(''),
  );
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
  );
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnobody:x:65534:\ntty:x:5:\nnonroot:x:65532:\n');
  writeFileSync(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  // Container engines mount it.
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n');
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  chmodSync(join(folder, 'tmp'), 0o1777);
}

function downloaded(cache: string): string[] {
  if (!existsSync(cache)) {
    const fresh = `${cache}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    const download = () => spawnSync('apt-get', ['download', ...packages], { cwd: fresh, encoding: 'utf8' });
    let result = download();
    if (result.status !== 0) {
      // The archive no longer has the listed versions, or there are no lists.
      spawnSync('apt-get', ['update'], { encoding: 'utf8' });
      result = download();
    }
    if (result.status !== 0) throw new Error(`Debian's packages can't be had: ${result.stderr}`);
    if (!existsSync(cache)) renameSync(fresh, cache);
  }
  return globSync(join(cache, '*.deb')).toSorted();
}
