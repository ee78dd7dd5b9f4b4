import type { Actor } from '@ostiary/events';
import { badUserInput, boundedPageById, type PagingArguments } from '@ostiary/graph';
import type { AuditEntry, AuditFilter } from '../domain/audit-log.ts';
import type { AuditResolvers } from './loaders.ts';

interface AuditInput extends PagingArguments {
  filter?: { [K in keyof AuditFilter]?: AuditFilter[K] | null } | null;
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const auditEntryResolvers: AuditResolvers = {
  ipAddress: ({ address }: AuditEntry) => address,
  changes: (entry: AuditEntry) =>
    Object.entries(entry.changes).map(([attribute, { before, after }]) => ({
      attribute,
      before: asJson(before),
      after: asJson(after),
    })),
};

export const auditQueries: AuditResolvers = {
  auditLog: async (_root, input: AuditInput, { loaders }) => {
    const { audit } = await loaders.directory();
    const filter = auditFilterOf(input.filter ?? {});
    return boundedPageById(input, {
      kind: 'auditLog',
      rows: (page) => audit.page(filter, page),
      count: () => audit.count(filter),
    });
  },
};

/** Returns the given conditions. @throws BAD_USER_INPUT for a text with NUL, which PostgreSQL cannot store */
function auditFilterOf(filter: NonNullable<AuditInput['filter']>): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  const wrong = given.find(([, value]) => typeof value === 'string' && value.includes('\u0000'));
  if (wrong) throw badUserInput(`"${wrong[0]}" must not contain NUL.`, { argument: 'filter' });
  const { actorKind, ...rest } = Object.fromEntries(given);
  return {
    ...rest,
    ...(typeof actorKind === 'string' && { actorKind: actorKind.toLowerCase() as Actor['kind'] }),
  };
}
