import type { CreateConnectorInput, UpdateConnectorInput } from './generated/sources.ts';
import type { SourceSettings } from './source.ts';

export const limitNames = ['requestsPerMinute', 'pageSize', 'bulkOperations', 'bulkPayloadBytes'] as const;
export type LimitName = (typeof limitNames)[number];

/** Permissions of a source in the format of the form. */
export interface SourceValues {
  name: string;
  access: SourceSettings['access'];
  users: boolean;
  groups: boolean;
  vouchesForEmails: boolean;
  protectsAdministrators: boolean;
  protectedUsers: readonly string[];
  protectedGroups: readonly string[];
  limits: Readonly<Record<LimitName, string>>;
}

export const newValues: SourceValues = {
  name: '',
  access: 'READ_WRITE',
  users: true,
  groups: true,
  vouchesForEmails: false,
  protectsAdministrators: true,
  protectedUsers: [],
  protectedGroups: [],
  limits: { requestsPerMinute: '', pageSize: '', bulkOperations: '', bulkPayloadBytes: '' },
};

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));

export const valuesOf = (source: SourceSettings): SourceValues => ({
  name: source.name,
  access: source.access,
  users: source.resourceTypes.includes('USER'),
  groups: source.resourceTypes.includes('GROUP'),
  vouchesForEmails: source.vouchesForEmails,
  protectsAdministrators: source.protectedAccounts.administrators,
  protectedUsers: source.protectedAccounts.userIds,
  protectedGroups: source.protectedAccounts.groupIds,
  limits: {
    requestsPerMinute: textOf(source.limits.requestsPerMinute),
    pageSize: textOf(source.limits.pageSize),
    bulkOperations: textOf(source.limits.bulkOperations),
    bulkPayloadBytes: textOf(source.limits.bulkPayloadBytes),
  },
});

const filled = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '');

const limitOf = (text: string): number | null => (text.trim() === '' ? null : Number.parseInt(text, 10));

export const inputOf = (values: SourceValues) =>
  ({
    name: values.name.trim(),
    access: values.access,
    resourceTypes: [
      ...(values.users ? (['USER'] as const) : []),
      ...(values.groups ? (['GROUP'] as const) : []),
    ],
    vouchesForEmails: values.vouchesForEmails,
    protectedAccounts: {
      administrators: values.protectsAdministrators,
      userIds: filled(values.protectedUsers),
      groupIds: filled(values.protectedGroups),
    },
    limits: {
      requestsPerMinute: limitOf(values.limits.requestsPerMinute),
      pageSize: limitOf(values.limits.pageSize),
      bulkOperations: limitOf(values.limits.bulkOperations),
      bulkPayloadBytes: limitOf(values.limits.bulkPayloadBytes),
    },
  }) satisfies CreateConnectorInput & Omit<UpdateConnectorInput, 'id'>;
