import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** How PostgreSQL's programs are run: the account, and what has to be put in front of the command. */
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
 * PostgreSQL refuses to run as root. As an ordinary user it simply runs as that user; as root it runs as
 * `postgres`, or `nobody` where that account is missing, so that no account has to be created. Root's files
 * are often out of that account's reach (/root is 0700, so is `mktemp -d`); then the programs keep the one
 * capability that lets them through, and nothing else of root.
 * @throws StartError when root has no way to run it
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
        // initdb asks access(2), which forgets capabilities of other users without this bit.
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
