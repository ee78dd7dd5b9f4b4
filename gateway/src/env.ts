import { accessEnv } from '@ostiary/access';
import {
  bool,
  count,
  list,
  origin,
  type parseEnv,
  port,
  processEnv,
  redisEnv,
  str,
  streamKeyEnv,
} from '@ostiary/service';
import type { ServiceName } from './upstreams/domain/upstream.ts';

const ownTimeout = (subgraph: ServiceName) =>
  count({
    default: undefined,
    desc: `Timeout of requests to ${subgraph}. Unset: SUBGRAPH_TIMEOUT_MILLISECONDS.`,
  });

export const env = {
  ...processEnv,
  ...redisEnv,
  ...streamKeyEnv,
  ...accessEnv,
  PORT: port({ default: 4000, desc: 'Port to listen on.' }),
  OPERATOR_PORT: port({
    default: undefined,
    desc: 'Port for the platform client `operator` and the command line, with the graph and the issuer of the platform. Do not route to it from an ingress, proxy or Service. Unset: no port.',
  }),
  OPERATOR_HOST: str({
    default: '127.0.0.1',
    desc: 'Address on which OPERATOR_PORT listens. The default is loopback, which `kubectl port-forward` and processes in the same container reach.',
  }),
  TRUSTED_PROXIES: list({
    default: [],
    desc: 'Proxies in front of the gateway whose X-Forwarded-For is trusted: addresses, CIDR ranges or the names loopback, linklocal, uniquelocal. Empty: none; the client address is that of the connection.',
  }),
  DIRECTORY_URL: origin({ default: 'http://127.0.0.1:4002', desc: 'Address of the directory service.' }),
  PROVISIONING_URL: origin({
    default: 'http://127.0.0.1:4003',
    desc: 'Address of the provisioning service.',
  }),
  SUPERGRAPH_PATH: str({
    default: undefined,
    desc: 'Path of the composed supergraph schema. Unset: that of the release.',
  }),
  SUPERGRAPH_RELOAD_SECONDS: count({
    default: 5,
    desc: 'Interval at which the supergraph file is checked for a new version; SIGHUP checks it immediately. A new version replaces the previous one without dropped requests; an invalid one is rejected.',
  }),
  READY_FILE: str({
    default: undefined,
    desc: 'Path of a file that must exist before /readyz returns 200, for installations that load data before they serve requests. Unset: no such condition.',
  }),
  CONSOLE: bool({
    default: true,
    desc: 'Serves the console at /console.',
  }),
  CONSOLE_TENANTS: list({
    default: [],
    desc: 'Ids of the tenants that the console lists for sign-in. Empty: users enter the id.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: false,
    devDefault: true,
    desc: 'Enables introspection of the graph. Default outside production: true.',
  }),
  GRAPH_GRAPHIQL: bool({
    default: false,
    devDefault: true,
    desc: 'Serves GraphiQL at /graphiql, from files of a checkout. Default outside production: true.',
  }),
  GRAPH_DEPTH_LIMIT: count({ default: 15, desc: 'Maximum depth of fields of an operation.' }),
  GRAPH_COST_LIMIT: count({
    default: 100_000,
    desc: 'Maximum cost of an operation: the number of values that its response can contain with the requested page sizes.',
  }),
  GRAPH_POINTS_PER_MINUTE: count({
    default: 5_000_000,
    desc: 'Maximum cost per minute of the operations of one app, or of one user of an app, counted over all gateways; further operations are answered with 429. Requests without a token share one fiftieth of it per network.',
  }),
  GRAPH_PERSISTED_QUERIES: bool({
    default: true,
    desc: 'Permits automatic persisted queries (APQ): clients register a query and later send only its digest.',
  }),
  GRAPH_TRUSTED_DOCUMENTS: str({
    default: undefined,
    desc: 'Path of a manifest of operations that clients can request by id. Unset: none.',
  }),
  GRAPH_TRUSTED_DOCUMENTS_ONLY: bool({
    default: false,
    desc: 'Rejects all operations that are not in a manifest.',
  }),
  LIVE_ORIGINS: list({
    default: [],
    desc: 'Origins, in addition to the public one, whose pages can open WebSockets for subscriptions.',
  }),
  LIVE_SUBSCRIPTIONS: count({
    default: 50_000,
    desc: 'Maximum number of subscriptions, and of WebSockets, of this process.',
  }),
  LIVE_CONNECTIONS_PER_CLIENT: count({
    default: 1_000,
    desc: 'Maximum number of live connections of one client for one subject to this process.',
  }),
  LIVE_CONNECTIONS_PER_NETWORK: count({
    default: 5_000,
    desc: 'Maximum number of WebSockets and event streams of one network (an address, or an IPv6 /64) to this process, with and without a token; further ones are rejected with 429.',
  }),
  SCIM_BODY_LIMIT: count({
    default: 1_048_576,
    desc: 'Maximum size of a SCIM request body in bytes, the same as in the provisioning service; larger ones are rejected with 413.',
  }),
  SUBGRAPH_TIMEOUT_MILLISECONDS: count({
    default: 10_000,
    desc: 'Timeout of a request to a subgraph. After it, the response lacks the fields of this subgraph.',
  }),
  SUBGRAPH_TIMEOUT_MILLISECONDS_AUTH: ownTimeout('auth'),
  SUBGRAPH_TIMEOUT_MILLISECONDS_DIRECTORY: ownTimeout('directory'),
  SUBGRAPH_TIMEOUT_MILLISECONDS_PROVISIONING: ownTimeout('provisioning'),
};

/** Returns the timeout of each subgraph in milliseconds. */
export const subgraphTimeouts = (
  given: ReturnType<typeof parseEnv<typeof env>>,
): Record<ServiceName, number> => ({
  auth: given.SUBGRAPH_TIMEOUT_MILLISECONDS_AUTH ?? given.SUBGRAPH_TIMEOUT_MILLISECONDS,
  directory: given.SUBGRAPH_TIMEOUT_MILLISECONDS_DIRECTORY ?? given.SUBGRAPH_TIMEOUT_MILLISECONDS,
  provisioning: given.SUBGRAPH_TIMEOUT_MILLISECONDS_PROVISIONING ?? given.SUBGRAPH_TIMEOUT_MILLISECONDS,
});
