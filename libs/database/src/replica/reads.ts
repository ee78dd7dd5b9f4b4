/**
 * Every read that a replica may answer, and why what it shows may be a second old. What is read here is looked at by people: nothing is
 * decided by it, no version of it is written back, and no machine reads it after its own write. A read that isn't here can't be asked of a
 * replica, and `e2e/repository/replica-reads.test.ts` fails when one is used anywhere but where it says.
 */
export const replicaReads = {
  'auth.securityLog.page':
    'A list of what has happened: entries never change, and newer ones are on the next look.',
  'auth.securityLog.count': 'How long that list is; reads up to 20,000 entries.',
  'auth.deliveries.page':
    'A list for people; replaying and discarding lock the row on the primary and look again.',
  'auth.deliveries.count': 'How long that list is; reads up to 20,000 deliveries.',
  'auth.tenants.figures': 'A report that counts all rows of a tenant, and is kept for a minute anyway.',
  'auth.signIns.statistics': 'A report by day, of counts that are written down late themselves.',
  'directory.auditLog.page':
    'A list of what has happened: entries never change, and newer ones are on the next look.',
  'directory.auditLog.count': 'How long that list is; reads up to 20,000 entries.',
  'directory.statistics.totals': 'A report on how large tenants are; no limit is enforced by it.',
  'directory.statistics.daily': 'A report by day, of days that are over.',
  'provisioning.provisioningLog.page':
    'A list of what sources have asked for, which is written down late itself.',
  'provisioning.provisioningLog.count': 'How long that list is; reads up to 20,000 entries.',
  'provisioning.connectorLog.page':
    'A list of what has happened: entries never change, and newer ones are on the next look.',
  'provisioning.connectorLog.count': 'How long that list is; reads up to 20,000 entries.',
} as const satisfies Record<`${'auth' | 'directory' | 'provisioning'}.${string}`, string>;

export type ReplicaRead = keyof typeof replicaReads;
