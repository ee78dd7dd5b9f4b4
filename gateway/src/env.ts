import { accessEnv } from '@ostiary/access';
import { bool, count, origin, port, processEnv, redisEnv, str } from '@ostiary/service';

/** Every variable the gateway reads. */
export const env = {
  ...processEnv,
  ...redisEnv,
  ...accessEnv,
  PORT: port({ default: 4000, desc: 'Port to listen on.' }),
  DIRECTORY_URL: origin({ default: 'http://127.0.0.1:4002', desc: 'Where the directory service listens.' }),
  PROVISIONING_URL: origin({
    default: 'http://127.0.0.1:4003',
    desc: 'Where the provisioning service listens.',
  }),
  SUPERGRAPH_PATH: str({
    default: undefined,
    desc: 'The composed supergraph schema to serve. Unset: the one that comes with the release.',
  }),
  READY_FILE: str({
    default: undefined,
    desc: 'A file without which /readyz stays 503, for whoever fills a new installation first. Unset: no such condition.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: false,
    devDefault: true,
    desc: 'Whether clients may ask the graph for its schema. On by default outside production only.',
  }),
  SCIM_BODY_LIMIT: count({
    default: 1_048_576,
    desc: 'Largest SCIM request body in bytes, as given to the provisioning service; larger ones get 413.',
  }),
  SUBGRAPH_TIMEOUT_MILLISECONDS: count({
    default: 10_000,
    desc: 'After this long a subgraph counts as unavailable for the operation; the rest of the answer is still given.',
  }),
};
