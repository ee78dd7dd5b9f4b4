import { accessEnv } from '@ostiary/access';
import { tenantPolicyEnv } from '@ostiary/events';
import {
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
  PORT: port({ default: 4002, desc: 'Port to listen on.' }),
  PROVISIONING_URL: origin({
    default: 'http://127.0.0.1:4003',
    desc: 'Internal address of the provisioning service, to which events are sent and confirmed.',
  }),
  SEARCH_LIMIT: count({
    default: 20_000,
    desc: 'Maximum number of resources that one search examines before it is answered with tooMany or a shorter page.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: undefined,
    desc: 'Enables introspection of the graph without a token. Unset: only outside production.',
  }),
};
