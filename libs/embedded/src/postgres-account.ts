import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** Account and command prefix of PostgreSQL's programs. */
export interface PostgresAccount {
  uid?: number;
  gid?: number;
  wrap(
    program: string,
    args: readonly string[],
  ): { program: string; args: string[]; ids: { uid?: number; gid?: number } };
}

const asSelf: PostgresAccount = { wrap: (program, args) => ({ program, args: [...args], ids: {} }) };

/**
 * Returns the account for PostgreSQL, which refuses to run as root: the current user, or for root `postgres`,
 * or `nobody` if that account is missing, so that no account must be created. That account often cannot reach
 * root's files (/root is 0700, as is `mktemp -d`); the programs then keep the one capability for it, and no
 * other.
 * @throws StartError if root has no way to run it
 */
export function postgresAccount(program: string, folder: string): PostgresAccount {
  if (process.getuid?.() !== 0) return asSelf;
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root, and this machine has neither an account `postgres` nor an account `nobody`: run as another user, or set DATABASE_URL.',
    );
  }
  const plain: PostgresAccount = {
    ...account,
    wrap: (p, args) => ({ program: p, args: [...args], ids: account }),
  };
  if (works(plain, program, folder)) return plain;
  const capable: PostgresAccount = {
    ...account,
    wrap: (p, args) => ({
      program: 'setpriv',
      args: [
        // initdb calls access(2), which ignores capabilities of other users without this bit.
        '--securebits=+no_setuid_fixup',
        `--reuid=${account.uid}`,
        `--regid=${account.gid}`,
        '--clear-groups',
        '--inh-caps=-all,+dac_override',
        '--ambient-caps=-all,+dac_override',
        '--',
        p,
        ...args,
      ],
      ids: {},
    }),
  };
  if (works(capable, program, folder)) return capable;
  throw new StartError(
    `PostgreSQL does not run as root, and the account it would use cannot reach ${folder}: put the project in a folder others may enter (chmod o+x), run as another user, or set DATABASE_URL.`,
  );
}

function works(account: PostgresAccount, program: string, folder: string): boolean {
  const version = account.wrap(program, ['--version']);
  const enter = account.wrap('/bin/sh', ['-c', 'cd "$0"', folder]);
  return [version, enter].every(
    (command) =>
      spawnSync(command.program, command.args, { ...command.ids, cwd: '/', stdio: 'ignore' }).status === 0,
  );
}

function lookUp(name: string): { uid: number; gid: number } | undefined {
  let accounts: string;
  try {
    accounts = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return undefined;
  }
  const fields = accounts
    .split('\n')
    .map((line) => line.split(':'))
    .find((entry) => entry[0] === name);
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}
