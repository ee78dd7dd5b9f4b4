import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type AuditOptions, auditDefaults, auditInvariants } from '../../scripts/invariants/audit.ts';
import type { Report } from '../../scripts/invariants/report.ts';
import { compileCache } from '../support/compile-cache.ts';

export type { Report } from '../../scripts/invariants/report.ts';

const program = join(import.meta.dirname, '..', '..', 'scripts', 'audit-invariants.ts');

export interface Audited {
  code: number;
  output: string;
  errors: string;
}

/** Runs the audit program. */
export async function auditAs(env: Record<string, string>, flags: readonly string[]): Promise<Audited> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...flags], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, ...env },
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

/** Runs the audit in this process, with one database that has all schemas. */
export const audit = (databaseUrl: string, options: Partial<AuditOptions> = {}): Promise<Report> =>
  auditInvariants(() => databaseUrl, { ...auditDefaults, ...options });
