export { AddressError, readAddress } from './connection/address.ts';
export { plannedAnew } from './connection/prepared.ts';
export type { TermChange } from './connection/servers.ts';
export { requireSupportedDatabase, UnsupportedDatabase } from './connection/supported.ts';
export type { Term } from './connection/term.ts';
export { createDatabase, type Database, type DatabaseOptions } from './database.ts';
export {
  DatabaseUnavailable,
  detailWithValues,
  isConnectionError,
  isForeignKeyViolation,
  isUniqueViolation,
  sqlState,
} from './errors.ts';
export type { DatabaseLog } from './log.ts';
export { type MigrateOptions, MigrationError, migrate } from './migration/migrate.ts';
export { type RuntimeRole, runtimeRoleFrom } from './migration/runtime-role.ts';
export { notify } from './notify.ts';
export { type ReplicaRead, replicaReads } from './replica/reads.ts';
export {
  type ObservedRead,
  primaryOnly,
  type ReplicaOutcome,
  type ReplicaReads,
  replicaOutcomes,
} from './replica/replica-reader.ts';
export type { Connected, Sql, TransactionClient } from './sql.ts';
export { statementsBySchema } from './statements/by-schema.ts';
export {
  type ComposedOptions,
  type ComposedStatement,
  type Composition,
  composedStatement,
} from './statements/composed.ts';
export { type Registered, registeredStatements } from './statements/registry.ts';
export {
  type Fragment,
  fragment,
  type Reason,
  type Statement,
  type StatementOptions,
  statement,
} from './statements/statement.ts';
export {
  type Columns,
  type ColumnTypes,
  type Parameters,
  type ParameterTypes,
  type RowOf,
  type Typed,
  typed,
  type ValuesOf,
} from './statements/types.ts';
export { type Stretch, stretchOf, wayOf } from './tables/id-page.ts';
export {
  type Claim,
  type ClaimOptions,
  claimOf,
  doneBefore,
  KeyReused,
  Repeated,
} from './tables/idempotency.ts';
export {
  connectReadOnly,
  type Flaw,
  type Scan,
  type ScannedPage,
  scanPage,
  scanStatement,
} from './tables/scan.ts';
export { keptKeyTable, type SealedColumnOptions, sealedColumn } from './tables/sealed-column.ts';
export { SharedLookup } from './tables/shared-lookup.ts';
export { type SeparationReason, SharedWrite, type SharedWriteOptions } from './tables/shared-write.ts';
export type { Isolation, Transaction } from './transaction.ts';
