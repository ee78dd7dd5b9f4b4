import { fragment, typed } from '@ostiary/database';
import type { UserDeparture } from '@ostiary/events';
import { foldCase, groupNameKey, userNameKey, userNameMark } from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import type { Attributes, StoredResource, VouchedEmails } from '../domain/stored-resource.ts';

/** The tables, with the alias `r` that all statements about resources use. */
export const resourceTables = { User: 'directory.users r', Group: 'directory.groups r' } as const;

const common = fragment(
  'r.id, r.version, r.data, r.external_ids AS "externalIds", r.created_at AS "createdAt", r.updated_at AS "updatedAt"',
  {
    id: 'uuid',
    version: typed<number>('int8'),
    data: typed<Attributes>('jsonb'),
    externalIds: typed<Record<string, string>>('jsonb'),
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
);

/** The columns that every statement about resources of a type returns, of the table `r`. */
export const resourceColumns = {
  User: fragment(`${common}, r.vouched_emails AS "vouchedEmails", r.departure`, {
    ...common.columns,
    vouchedEmails: typed<VouchedEmails>('jsonb'),
    departure: typed<UserDeparture | null>('jsonb?'),
  }),
  Group: common,
} as const;

/** Returns the resource among other columns of a row. */
export const toStored = (row: StoredResource): StoredResource => ({
  id: row.id,
  version: row.version,
  data: row.data,
  externalIds: row.externalIds,
  ...(row.vouchedEmails && { vouchedEmails: row.vouchedEmails }),
  ...(row.departure && { departure: row.departure }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** Returns the columns that repeat parts of a resource for lookup, order and uniqueness. */
export function derivedColumns(
  type: ResourceType,
  { data, vouchedEmails = {}, departure }: StoredResource,
): Record<string, unknown> {
  const displayName = typeof data.displayName === 'string' ? data.displayName : null;
  const display = {
    display_name: displayName,
    display_name_key: displayName === null ? null : foldCase(displayName),
  };
  if (type === 'Group') {
    return { ...display, name_key: groupNameKey(displayName ?? ''), name_keyed: displayName };
  }
  const userName = String(data.userName);
  return {
    user_name: userName,
    user_name_key: userNameKey(userName),
    user_name_keyed: userNameMark(userName),
    ...display,
    active: data.active !== false,
    vouched_emails: JSON.stringify(vouchedEmails),
    departure: departure ? JSON.stringify(departure) : null,
  };
}
