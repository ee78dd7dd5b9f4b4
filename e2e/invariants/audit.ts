import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Report } from '../../scripts/invariants/report.ts';

export type { Report } from '../../scripts/invariants/report.ts';

const program = join(import.meta.dirname, '..', '..', 'scripts', 'audit-invariants.ts');

export interface Audited {
  code: number;
  output: string;
  errors: string;
}

/** Runs the audit as an operator does. */
export async function auditAs(env: Record<string, string>, flags: readonly string[]): Promise<Audited> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...flags], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)));
  return { code, output, errors };
}

/** What the audit says about one database that holds everything. */
export async function audit(databaseUrl: string, flags: readonly string[] = []): Promise<Report> {
  const { output, errors } = await auditAs({ DATABASE_URL: databaseUrl }, ['--json', ...flags]);
  if (output === '') throw new Error(`the audit said nothing: ${errors}`);
  return JSON.parse(output) as Report;
}
