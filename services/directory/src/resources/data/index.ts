export { ResourceTable } from './resource-table.ts';
export { columnsOf, type ResourceRow, toStored } from './rows.ts';
export { PostgresSchemaRemovals, pendingRemovals } from './schema-removals.ts';
export { asTakenValue } from './violations.ts';
