import { type Composition, composedStatement } from '@ostiary/database';
import { createOutbox, type Outbox } from '@ostiary/events';
import { recordingStatement } from '../../audit/data/change-records.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { ResourceWrite } from '../domain/ports.ts';
import type { Derived, StoredResource } from '../domain/stored-resource.ts';
import { derivedColumns } from './rows.ts';

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

/** The new state of a row. */
export interface RowWrite {
  tenant: string;
  type: ResourceType;
  resource: StoredResource;
  derived: Derived;
}

/** Returns the insertion of a row; its parameters begin with $1. */
function insertion(row: RowWrite): Composition {
  const columns = columnsOf(row);
  const names = Object.keys(columns);
  return {
    text: `INSERT INTO ${tables[row.type]} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    values: Object.values(columns),
  };
}

/** Returns the update of the whole row, if its version is still `replaces`; its parameters begin with $1. */
function replacement(row: RowWrite & { replaces?: number | undefined }): Composition {
  const columns = columnsOf(row);
  const names = Object.keys(columns);
  const assignments = names.map((name, i) => `${name} = $${i + 1}`);
  if (row.type === 'User') assignments.push(twinAfter(names));
  const values = Object.values(columns);
  const unchanged = row.replaces === undefined ? '' : ` AND version = $${values.push(row.replaces)}`;
  return {
    text: `UPDATE ${tables[row.type]} SET ${assignments.slice(2).join(', ')} WHERE tenant = $1 AND id = $2${unchanged}`,
    values,
  };
}

/** Returns the columns of the row, its key first. */
const columnsOf = ({ tenant, type, resource, derived }: RowWrite): Record<string, unknown> => ({
  tenant,
  id: resource.id,
  external_ids: JSON.stringify(resource.externalIds),
  data: JSON.stringify(resource.data),
  folded: JSON.stringify(derived.folded),
  schemas_version: derived.schemasVersion,
  unique_keys: derived.uniqueKeys,
  version: resource.version,
  created_at: resource.createdAt,
  updated_at: resource.updatedAt,
  ...derivedColumns(type, resource),
});

/**
 * Returns the assignment of `user_name_twin`. A changed name belongs to its user alone. A user who keeps a shared
 * name continues to share it. A name becomes shared when its key is computed again and equals that of another user.
 * No change is rejected for a name that the user already had.
 */
function twinAfter(columns: readonly string[]): string {
  const [name, key] = ['user_name', 'user_name_key'].map((column) => `$${columns.indexOf(column) + 1}::text`);
  return `user_name_twin = CASE
    WHEN user_name_key = ${key} THEN user_name_twin
    WHEN user_name = ${name} AND EXISTS (
      SELECT FROM directory.users o WHERE o.tenant = $1 AND o.user_name_key = ${key} AND o.user_name_twin = '' AND o.id <> $2
    ) THEN users.id::text
    ELSE '' END`;
}

/** The insertion of a SCIM create, without its audit entry and event. */
export const insertResource = composedStatement({
  name: 'resources.insert',
  reason: 'hot path',
  columns: {},
  compose: insertion,
  examples: () => [example('User'), example('Group')],
});

/** Whether a user shares their name is determined by the write itself. The caller holds the row's lock. */
export const updateResource = composedStatement({
  name: 'resources.update',
  reason: 'atomic',
  columns: {},
  compose: (row: RowWrite) => replacement(row),
  examples: () => [example('User'), example('Group')],
});

interface RecordedWrite extends ResourceWrite {
  tenant: string;
  outbox: Outbox;
}

/** Writes one resource with its audit entry and event, or nothing when the resource is not at the expected version. */
export const writeResource = composedStatement({
  name: 'resources.write',
  reason: 'atomic',
  columns: {},
  compose: (write: RecordedWrite) =>
    recordingStatement(
      write,
      { entries: [write.entry], events: [write.event] },
      write.replaces === undefined ? insertion(write) : replacement(write),
    ),
  examples: (): RecordedWrite[] =>
    (['User', 'Group'] as const).flatMap((type) => {
      const recorded = { ...example(type), ...exampleRecord, outbox: createOutbox('directory', ['auth']) };
      return [recorded, { ...recorded, replaces: 1 }];
    }),
});

const example = (type: ResourceType): RowWrite => ({
  tenant: 'demo',
  type,
  resource: {
    id: '00000000-0000-7000-8000-000000000000',
    version: 1,
    data: { userName: 'ada', displayName: 'Ada' },
    externalIds: {},
    createdAt: new Date(0),
    updatedAt: new Date(0),
  },
  derived: { folded: {}, schemasVersion: 1, uniqueKeys: [] },
});

const exampleRecord: Pick<ResourceWrite, 'entry' | 'event'> = {
  entry: {
    occurredAt: new Date(0),
    actor: { kind: 'client', id: 'app' },
    action: 'user.created',
    resourceType: 'User',
    resourceId: 'ada',
    resourceVersion: 1,
    changes: {},
  },
  event: {
    tenant: 'demo',
    type: 'user.created',
    subject: 'ada',
    version: 1,
    payload: { id: 'ada', userName: 'ada', active: true, emails: [], externalIds: {}, changedAt: '' },
    actor: { kind: 'client', id: 'app' },
  },
};
