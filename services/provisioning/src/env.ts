import { accessEnv } from '@ostiary/access';
import { tenantPolicyEnv } from '@ostiary/events';
import {
  base64Key,
  bool,
  count,
  databaseEnv,
  eventKeyEnv,
  origin,
  port,
  processEnv,
  redisEnv,
  streamKeyEnv,
} from '@ostiary/service';

/** Environment variables of the provisioning service. */
export const env = {
  ...processEnv,
  ...tenantPolicyEnv,
  ...databaseEnv,
  ...redisEnv,
  ...streamKeyEnv,
  ...eventKeyEnv,
  ...accessEnv,
  PORT: port({ default: 4003, desc: 'Port to listen on.' }),
  DIRECTORY_URL: origin({
    default: 'http://127.0.0.1:4002',
    desc: 'Where the directory is reached from inside.',
  }),
  TOKEN_KEY: base64Key({
    desc: 'Encrypts cursors, and the key of the digests of connector tokens that the database keeps; 32 bytes as base64url. Losing it ends every connector token and every cursor.',
  }),
  TOKEN_KEY_SECOND: base64Key({
    default: undefined,
    desc: 'A second TOKEN_KEY that is valid: the next one before a rotation, the former one after it, until nothing is under it (metric `sealed_values_behind`).',
  }),
  SCIM_BODY_LIMIT: count({
    default: 1_048_576,
    desc: 'Largest SCIM request body in bytes; larger ones get 413.',
  }),
  SCIM_BULK_OPERATIONS: count({
    default: 1000,
    desc: 'Most operations in one SCIM Bulk; its size is limited by SCIM_BODY_LIMIT.',
  }),
  SCIM_REQUESTS_PER_MINUTE: count({
    default: 300_000,
    desc: 'SCIM requests that a connector or client may send in a minute, all processes together; more get 429. Connectors may have lower limits of their own.',
  }),
  SCIM_CURSOR_SECONDS: count({
    default: 3600,
    desc: 'Lifetime of a cursor of a SCIM list.',
  }),
  PROVISIONING_LOG_DAYS: count({
    default: 30,
    desc: 'Age in days at which entries of the provisioning log are removed.',
  }),
  PROVISIONING_LOG_ENTRIES: count({
    default: 100_000,
    desc: 'Entries of the provisioning log kept per tenant.',
  }),
  CONNECTOR_LOG_DAYS: count({
    default: 400,
    desc: 'Age in days at which entries of the log of changes of connectors are removed.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: undefined,
    devDefault: true,
    desc: 'Enables introspection of the graph without a token. Unset: only outside production.',
  }),
};
