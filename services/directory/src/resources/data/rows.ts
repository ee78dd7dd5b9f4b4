import { foldCase, groupNameKey, type JsonObject, userNameKey, userNameMark } from '@ostiary/scim';

/** Attributes of a resource by their canonical names. */
export type Attributes = JsonObject;

export type ResourceType = 'User' | 'Group';

/** By address, the sources that stand for it. */
export type VouchedEmails = Readonly<Record<string, readonly string[]>>;

/** A User or Group as it is kept: `data` is the SCIM resource without id, meta, externalId and computed attributes. */
export interface StoredResource {
  id: string;
  version: number;
  data: Attributes;
  /** The externalId each identity source knows the resource by. */
  externalIds: Record<string, string>;
  /** Of a user: which identity sources stand for which of the e-mail addresses. What isn't an address of theirs says nothing. */
  vouchedEmails?: VouchedEmails;
  createdAt: Date;
  updatedAt: Date;
}

/** What is kept beside a resource, made from it by the schemas of its tenant. */
export interface Derived {
  /** What filters compare with: `foldResource` of the data. */
  folded: Attributes;
  /** The version of the schemas; a row is only written while they are the tenant's. */
  schemasVersion: number;
  /** Values of custom attributes that nothing else in the tenant may have: `uniqueKeys` of the data. */
  uniqueKeys: string[];
}

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
