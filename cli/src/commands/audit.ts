import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, Failure } from '../failure.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';

/** Paths of the program in the image and in a checkout. */
const programs = ['../../dist/audit-invariants.js', '../../scripts/audit-invariants.ts'];

/** Runs the audit as a separate program: it reads the databases directly and shares only the environment. */
async function invariants(context: Context, given: Arguments): Promise<void> {
  const program = programs.map((path) => join(import.meta.dirname, path)).find((path) => existsSync(path));
  if (program === undefined) {
    throw new Failure(
      'failure',
      'The audit is not part of this image.',
      'Run the image ostiary/audit: docs/guides/audit-the-invariants.md',
    );
  }
  const args = ['--disable-warning=ExperimentalWarning', program, ...(given.flag('json') ? ['--json'] : [])];
  const child = spawn(process.execPath, args, { env: { ...context.surroundings.env }, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (context.signal.aborted) throw new Failure('interrupted', 'Interrupted.');
  if (code === 1) process.exitCode = exitCodes.differs.code;
  else if (code !== 0) throw new Failure('failure', 'The audit could not be completed.');
}

export const auditCommands: GroupDefinition = {
  name: 'audit',
  summary: 'Checks invariants.',
  commands: [
    {
      usage: 'invariants',
      summary: 'Checks in the databases that offboarded users have no access; exits with 7 on a violation.',
      details:
        'Reads DATABASE_URL, or DATABASE_URL_AUTH, _DIRECTORY and _PROVISIONING; default: the databases of the local npm start.',
      examples: ['ostiary audit invariants', 'DATABASE_URL=postgresql://… ostiary audit invariants --json'],
      run: invariants,
    },
  ],
};
