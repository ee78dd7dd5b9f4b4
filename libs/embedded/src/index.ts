export { freePort, portIsFree, reachable } from './installation/ports.ts';
export {
  type EmbeddedServer,
  type PostgresOptions,
  type PostgresServerHandle,
  removePostgres,
  startPostgres,
} from './postgres.ts';
export { StartError } from './start-error.ts';
export { removeValkey, startValkey, type ValkeyOptions, type ValkeyServerHandle } from './valkey.ts';
