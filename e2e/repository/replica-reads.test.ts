import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { replicaReads } from '@ostiary/database';

const root = resolve(import.meta.dirname, '../..');

/** Files that read from a replica, with the names of the reads. No decision may depend on such a read. */
const readers: Readonly<Record<string, readonly string[]>> = {
  'services/auth/src/platform/audit/security-log.data.ts': [
    'auth.securityLog.count',
    'auth.securityLog.page',
  ],
  'services/auth/src/identity/module.ts': ['auth.signIns.statistics'],
  'services/auth/src/signals/data/delivery-list.ts': ['auth.deliveries.count', 'auth.deliveries.page'],
  'services/auth/src/identity/sessions/data/tenant-figures.ts': ['auth.tenants.figures'],
  'services/directory/src/audit/data/audit-log.ts': ['directory.auditLog.count', 'directory.auditLog.page'],
  'services/directory/src/statistics/statistics.data.ts': [
    'directory.statistics.daily',
    'directory.statistics.totals',
  ],
  'services/provisioning/src/connectors/data/connector-log.ts': [
    'provisioning.connectorLog.count',
    'provisioning.connectorLog.page',
  ],
  'services/provisioning/src/provisioning-log/log.data.ts': [
    'provisioning.provisioningLog.count',
    'provisioning.provisioningLog.page',
  ],
};

/** Files that pass on or report a replica without reading from it. */
const passing: readonly string[] = [
  'services/auth/src/platform/module.ts',
  'services/auth/src/signals/module.ts',
  'services/directory/src/app.ts',
  'services/directory/src/composition/directory.ts',
  'services/directory/src/composition/tenant-tables.ts',
  'services/provisioning/src/app.ts',
  'services/provisioning/src/main.ts',
];

/** The replicas in `libs/service` are those of Redis. */
const strangers = /^libs\/(database|service)\//;

const sources = globSync('{services,libs}/*/src/**/*.ts', { cwd: root })
  .concat(globSync('gateway/src/**/*.ts', { cwd: root }))
  .filter((file) => !file.includes('/generated/') && !strangers.test(file));

/** Returns the reads of a file, and whether it mentions a replica. */
function replicaIn(text: string): { reads: string[]; mentions: boolean } {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const reads = [...code.matchAll(/\breplica\.read\(\s*'([^']+)'/g)].map(([, name = '']) => name);
  return { reads: reads.toSorted(), mentions: /\breplica\b|\bReplicaReads\b|#replica\b/.test(code) };
}

test('The reads from a replica are the listed ones, each with its reason and in one place.', () => {
  const found = Object.fromEntries(
    sources
      .map((file) => [file, replicaIn(readFileSync(resolve(root, file), 'utf8'))] as const)
      .filter(([, { mentions }]) => mentions)
      .map(([file, { reads }]) => [file, reads]),
  );
  const expected = { ...readers, ...Object.fromEntries(passing.map((file) => [file, []])) };
  expect(found).toEqual(expected);
  expect(Object.values(readers).flat().toSorted()).toEqual(Object.keys(replicaReads).toSorted());
});

test('A read from a replica is found in each notation.', () => {
  const found = [
    "replica.read('a', [t], sql, f)",
    "this.#replica.read(\n  'a',\n  [t])",
    "x.replica.read('a')",
  ];
  for (const text of found) expect(replicaIn(text)).toEqual({ reads: ['a'], mentions: true });
  expect(replicaIn('const { replica: older } = database;').mentions).toBe(true);
  expect(replicaIn('// of a replica').mentions).toBe(false);
});
