import type { FieldResolvers } from '../../composition/loaders.ts';
import type { AuditEntry } from '../data/audit-log.ts';

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const auditEntryResolvers: FieldResolvers = {
  ipAddress: ({ address }: AuditEntry) => address,
  changes: (entry: AuditEntry) =>
    Object.entries(entry.changes).map(([attribute, { before, after }]) => ({
      attribute,
      before: asJson(before),
      after: asJson(after),
    })),
};
