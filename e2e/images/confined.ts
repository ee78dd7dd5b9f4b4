/** Runs a program in a root of its own, as a container engine would: another user, nothing to write to but /tmp. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Image } from './assemble.ts';

export interface Confined {
  child: ChildProcess;
  /** What it has said. */
  output(): string;
  /** The same, on standard output alone. */
  result(): string;
  exited: Promise<number | null>;
}

/**
 * In a mount namespace of its own: the root read-only, /tmp in memory, of the machine nothing but /proc and three devices. Each program
 * replaces the one before, so that the process that was started is the one that serves.
 */
const enter = `set -e
root=$1 workdir=$2 uid=$3 gid=$4; shift 4
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null urandom random; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs unshare --root="$root" --wd="$workdir" --setgid "$gid" --setuid "$uid" "$@"`;

const shellPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why this can't be done here; undefined where it can. */
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

export function runConfined(
  image: Image,
  {
    command = image.command,
    env = {},
    stdin,
  }: { command?: readonly string[]; env?: Record<string, string>; stdin?: string } = {},
): Confined {
  const [uid = '', gid = uid] = image.user.split(':');
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-c', enter, 'enter'],
      ...[image.folder, image.workdir, uid, gid, ...command],
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
