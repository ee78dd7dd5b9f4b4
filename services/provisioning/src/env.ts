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
    desc: 'Internal address of the directory service.',
  }),
  TOKEN_KEY: base64Key({
    desc: 'Key that encrypts cursors, and the stored key of the digests of connector tokens. 32 bytes as base64url. Its loss invalidates all connector tokens and cursors.',
  }),
  TOKEN_KEY_SECOND: base64Key({
    default: undefined,
    desc: 'Second valid TOKEN_KEY: the next one before a rotation, the former one after it, until no value is encrypted with it (metric `sealed_values_behind`).',
  }),
  SCIM_BODY_LIMIT: count({
    default: 1_048_576,
    desc: 'Maximum size of a SCIM request body in bytes; larger ones are rejected with 413.',
  }),
  SCIM_BULK_OPERATIONS: count({
    default: 1000,
    desc: 'Maximum number of operations in a SCIM Bulk. SCIM_BODY_LIMIT limits its size.',
  }),
  SCIM_REQUESTS_PER_MINUTE: count({
    default: 300_000,
    desc: 'Maximum number of SCIM requests of a connector or client per minute, over all processes; further requests are rejected with 429. A connector can have a lower limit.',
  }),
  SCIM_CURSOR_SECONDS: count({
    default: 3600,
    desc: 'Lifetime of a cursor of a SCIM list.',
  }),
  PROVISIONING_LOG_DAYS: count({
    default: 30,
    desc: 'Retention time of the provisioning log in days.',
  }),
  PROVISIONING_LOG_ENTRIES: count({
    default: 100_000,
    desc: 'Maximum number of entries of the provisioning log per tenant.',
  }),
  CONNECTOR_LOG_DAYS: count({
    default: 400,
    desc: 'Retention time of the connector log in days.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: undefined,
    devDefault: true,
    desc: 'Enables introspection of the graph without a token. Unset: only outside production.',
  }),
};
