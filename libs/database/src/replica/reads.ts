/**
 * Every read that a replica may answer, with the reason why it may be one second old. Their results are
 * displayed: no decision depends on them, no version of them is written back, and no program reads its own
 * write through them. Other reads cannot use a replica, and `e2e/repository/replica-reads.test.ts` fails for
 * an undeclared place.
 */
export const replicaReads = {
  'auth.securityLog.page': 'A log: entries never change, and newer entries appear on the next read.',
  'auth.securityLog.count': 'Length of that list; reads at most 20,000 entries.',
  'auth.deliveries.page':
    'A list for administrators; replaying and discarding lock and read the row on the primary.',
  'auth.deliveries.count': 'Length of that list; reads at most 20,000 deliveries.',
  'auth.tenants.figures': 'A report that counts all rows of a tenant and is cached for a minute.',
  'auth.signIns.statistics': 'A report by day, of counts that are written down late themselves.',
  'directory.auditLog.page': 'A log: entries never change, and newer entries appear on the next read.',
  'directory.auditLog.count': 'Length of that list; reads at most 20,000 entries.',
  'directory.statistics.totals': 'A report on the size of tenants; it enforces no limit.',
  'directory.statistics.daily': 'A report by day, of days that are over.',
  'provisioning.provisioningLog.page':
    'A list of requests of identity sources, which is itself written with a delay.',
  'provisioning.provisioningLog.count': 'Length of that list; reads at most 20,000 entries.',
  'provisioning.connectorLog.page': 'A log: entries never change, and newer entries appear on the next read.',
  'provisioning.connectorLog.count': 'Length of that list; reads at most 20,000 entries.',
} as const satisfies Record<`${'auth' | 'directory' | 'provisioning'}.${string}`, string>;

export type ReplicaRead = keyof typeof replicaReads;
