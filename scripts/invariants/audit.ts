import { connectReadOnly, type Flaw, type Scan, type Sql, scanPage } from '@ostiary/database';
import { checksBetween } from './between.ts';
import type { Check, Limits, Result, Sources } from './check.ts';
import type { Report } from './report.ts';

const examplesShown = 20;
const services = ['auth', 'directory', 'provisioning'] as const;
export type AuditedService = (typeof services)[number];

/** Modules with the invariants of each service's tables. */
const scansOf = {
  auth: () => import('../../services/auth/dist/invariants.js'),
  directory: () => import('../../services/directory/dist/database/data/invariants.js'),
  provisioning: () => import('../../services/provisioning/dist/database/data/invariants.js'),
} satisfies Record<AuditedService, unknown>;

export interface AuditOptions extends Limits {
  statementTimeoutMs: number;
}

/** Defaults of the command line. */
export const auditDefaults: AuditOptions = {
  batch: 2000,
  waitingSeconds: 60,
  settleMs: 10_000,
  statementTimeoutMs: 10_000,
};

/**
 * Verifies all invariants. @param databaseOf returns the connection URL of a service's database
 * @throws Error when the verification fails
 */
export async function auditInvariants(
  databaseOf: (service: AuditedService) => string,
  options: AuditOptions,
): Promise<Report> {
  const begun = performance.now();
  const { sources, close } = await connect(databaseOf, options.statementTimeoutMs);
  try {
    const checks: Result[] = [];
    for (const check of [...ownChecks(sources, options), ...checksBetween(sources, options)]) {
      checks.push(await resultOf(check));
    }
    return {
      ok: checks.every(({ flaws }) => flaws === 0),
      at: new Date().toISOString(),
      tookMs: Math.round(performance.now() - begun),
      checks,
    };
  } finally {
    await close();
  }
}

async function resultOf({ name, says, run }: Check): Promise<Result> {
  const result: Result = { name, says, looked: 0, flaws: 0, examples: [] };
  result.looked = await run((flaw: Flaw) => {
    result.flaws += 1;
    if (result.examples.length < examplesShown) result.examples.push(flaw);
  });
  return result;
}

/** Returns the invariants within each service's tables. */
function ownChecks(sources: Sources, limits: Limits): Check[] {
  const check = (sql: Sql, scan: Scan): Check => ({
    name: scan.name,
    says: scan.says,
    async run(report) {
      let looked = 0;
      let after: readonly string[] | undefined;
      do {
        const page = await scanPage(sql, scan, after, limits.batch);
        for (const flaw of page.flaws) report(flaw);
        looked += page.looked;
        after = page.next;
      } while (after !== undefined);
      return looked;
    },
  });
  return services.flatMap((name) =>
    sources[name].facts.scans(limits.waitingSeconds).map((scan) => check(sources[name].sql, scan)),
  );
}

async function connect(
  databaseOf: (service: AuditedService) => string,
  statementTimeoutMs: number,
): Promise<{ sources: Sources; close(): Promise<void> }> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(opened.map((connection) => connection.close().catch(() => undefined)));
  };
  try {
    const source = async (name: AuditedService) => {
      const sql = await connectReadOnly(databaseOf(name), { statementTimeoutMs });
      opened.push(sql);
      return { facts: await scansOf[name](), sql };
    };
    const [auth, directory, provisioning] = [
      await source('auth'),
      await source('directory'),
      await source('provisioning'),
    ];
    return { sources: { auth, directory, provisioning } as Sources, close };
  } catch (error) {
    await close();
    throw error;
  }
}
