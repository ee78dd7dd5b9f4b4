export { createDatabase, type Database, type DatabaseOptions } from './database.ts';
export {
  DatabaseUnavailable,
  isConnectionError,
  isForeignKeyViolation,
  isUniqueViolation,
  sqlState,
} from './errors.ts';
export { type IdPage, wayOf } from './id-page.ts';
export { type Claim, type ClaimOptions, claimOf, doneBefore, KeyReused, Repeated } from './idempotency.ts';
export type { DatabaseLog } from './log.ts';
export { type MigrateOptions, MigrationError, migrate } from './migrate.ts';
export { plannedAnew } from './prepared.ts';
export { type RuntimeRole, runtimeRoleFrom } from './runtime-role.ts';
export { connectReadOnly, type Flaw, type Scan, type ScannedPage, scanPage } from './scan.ts';
export { keptKeyTable, type SealedColumnOptions, sealedColumn } from './sealed-column.ts';
export { SharedLookup } from './shared-lookup.ts';
export type { Sql } from './sql.ts';
export type { Isolation, Transaction } from './transaction.ts';
