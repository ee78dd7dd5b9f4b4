import { foldCase, groupNameKey, userNameKey, userNameMark } from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import type { Attributes, StoredResource, VouchedEmails } from '../domain/stored-resource.ts';

const resourceColumns = 'id, version, data, external_ids, created_at, updated_at';

/** The columns that every statement about resources of the type returns. */
export const columnsOf = (type: ResourceType): string =>
  type === 'User' ? `${resourceColumns}, vouched_emails` : resourceColumns;

export interface ResourceRow {
  id: string;
  version: string | number;
  data: Attributes;
  external_ids: Record<string, string>;
  vouched_emails?: VouchedEmails;
  created_at: Date;
  updated_at: Date;
}

export const toStored = (row: ResourceRow): StoredResource => ({
  id: row.id,
  version: Number(row.version),
  data: row.data,
  externalIds: row.external_ids,
  ...(row.vouched_emails && { vouchedEmails: row.vouched_emails }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Columns that repeat parts of a resource so that it can be found, ordered and kept unique. */
export function derivedColumns(
  type: ResourceType,
  { data, vouchedEmails = {} }: StoredResource,
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
  };
}
