/**
 * Verifies the invariants of Ostiary in its databases: no offboarded user has access, no event is lost or processed
 * twice, and no users are mixed up. Reads only, in short statements, so it can run on live databases of any size.
 *
 * node scripts/audit-invariants.ts [--json] [--settle-seconds 10] [--waiting-seconds 60] [--batch 2000]
 *   [--statement-timeout-seconds 10]
 * DATABASE_URL, or DATABASE_URL_AUTH, _DIRECTORY and _PROVISIONING where they are different; without any, the databases
 * of
 * the running `npm start`. Exit code 0: all invariants hold. 1: a violation. 2: the audit failed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AuditedService, auditDefaults, auditInvariants } from './invariants/audit.ts';
import { readable } from './invariants/report.ts';

// Not awaited here, because this is bundled as a script for the image of the same name.
main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(
      `The invariants could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 2;
  },
);

async function main(): Promise<number> {
  const seconds = (ms: number): string => String(ms / 1000);
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'settle-seconds': { type: 'string', default: seconds(auditDefaults.settleMs) },
      'waiting-seconds': { type: 'string', default: String(auditDefaults.waitingSeconds) },
      'statement-timeout-seconds': { type: 'string', default: seconds(auditDefaults.statementTimeoutMs) },
      batch: { type: 'string', default: String(auditDefaults.batch) },
    },
  });
  const number = (name: Exclude<keyof typeof values, 'json'>): number => {
    const given = Number(values[name]);
    if (!Number.isInteger(given) || given < 0) throw new Error(`--${name} must be a whole number`);
    return given;
  };
  const report = await auditInvariants(databaseOf, {
    batch: Math.max(1, number('batch')),
    waitingSeconds: number('waiting-seconds'),
    settleMs: number('settle-seconds') * 1000,
    statementTimeoutMs: number('statement-timeout-seconds') * 1000,
  });
  process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : readable(report)}\n`);
  return report.ok ? 0 : 1;
}

function databaseOf(service: AuditedService): string {
  const url =
    process.env[`DATABASE_URL_${service.toUpperCase()}`] || process.env.DATABASE_URL || embeddedDatabase();
  if (url === undefined) {
    throw new Error(
      'there is no database: set DATABASE_URL (or DATABASE_URL_AUTH, _DIRECTORY and _PROVISIONING), or run npm start here',
    );
  }
  return url;
}

/** Returns the database of the `npm start` that runs from this folder, if there is one. */
function embeddedDatabase(): string | undefined {
  const home = resolve(process.env.OSTIARY_HOME ?? join(import.meta.dirname, '..', '.ostiary'));
  const [state, password] = ['postgres/postmaster.pid', 'postgres.password'].map((file) => join(home, file));
  if (state === undefined || password === undefined || !existsSync(state) || !existsSync(password))
    return undefined;
  const port = readFileSync(state, 'utf8').split('\n')[3];
  const url = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`);
  url.password = readFileSync(password, 'utf8').trim();
  return url.href;
}
