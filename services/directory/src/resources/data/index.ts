export { ResourceTable } from './resource-table.ts';
export { writeResource } from './resource-writes.ts';
export { resourceColumns, resourceTables, toStored } from './rows.ts';
export { PostgresSchemaRemovals, pendingRemovals } from './schema-removals.ts';
export { asTakenValue } from './violations.ts';
