/** Runs a program in a separate root like a container engine: another user, and only /tmp is writable. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Image } from './assemble.ts';

export interface Confined {
  child: ChildProcess;
  /** Output so far. */
  output(): string;
  /** Standard output so far. */
  result(): string;
  exited: Promise<number | null>;
}

/**
 * Enters a mount namespace: the root is read-only, /tmp in memory, and of the machine only /proc and three devices are
 * visible. Each program replaces the one before (exec), so the spawned process is the server.
 */
const enter = `set -e
root=$1 workdir=$2 uid=$3 gid=$4 file=$5; shift 5
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
[ -z "$file" ] || cp "$file" "$root/tmp/"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null urandom random; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs unshare --root="$root" --wd="$workdir" --setgid "$gid" --setuid "$uid" "$@"`;

const shellPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns why confinement is not possible here, or undefined if it is. */
export function confinementProblem(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'a root of its own takes the rights of root';
  const attempt = spawnSync(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      'mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp',
    ],
    { encoding: 'utf8' },
  );
  return attempt.status === 0 ? undefined : `mounting isn't permitted: ${attempt.stderr}`;
}

/** @param file path of a file of the machine that is copied to /tmp of the image */
export function runConfined(
  image: Image,
  {
    command = image.command,
    env = {},
    stdin,
    file = '',
  }: { command?: readonly string[]; env?: Record<string, string>; stdin?: string; file?: string } = {},
): Confined {
  const [uid = '', gid = uid] = image.user.split(':');
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-c', enter, 'enter'],
      ...[image.folder, image.workdir, uid, gid, file, ...command],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: shellPath, ...image.env, ...env } },
  );
  child.stdin.on('error', () => undefined).end(stdin);
  let said = '';
  let result = '';
  const collect = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-100_000);
  };
  child.stdout.on('data', collect);
  child.stdout.on('data', (chunk: Buffer) => {
    result = (result + chunk.toString()).slice(-100_000);
  });
  child.stderr.on('data', collect);
  return {
    child,
    output: () => said,
    result: () => result,
    exited: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  };
}
