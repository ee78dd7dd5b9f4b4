export { connectorLog, connectorLogQueries, pruneConnectorLog } from './connector-log.ts';
export { connectorOwners } from './connector-owners.ts';
export { connectorStore } from './connector-store.ts';
export { connectorTokens } from './connector-tokens.ts';
export { Connectors } from './connectors.ts';
export { PostgresIdempotencyKeys, pruneIdempotencyKeys } from './idempotency-keys.ts';
export { ownerlessConnectors } from './ownerless-connectors.ts';
export { RemoteOwners } from './owners.ts';
export { vouchingWithdrawals } from './vouching-withdrawals.ts';
