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
import type { ServiceName } from './upstreams/index.ts';

const ownTimeout = (subgraph: ServiceName) =>
  count({ default: undefined, desc: `The same for ${subgraph} alone. Unset: as for all.` });

export const env = {
  ...processEnv,
  ...redisEnv,
  ...streamKeyEnv,
  ...accessEnv,
  PORT: port({ default: 4000, desc: 'Port to listen on.' }),
  OPERATOR_PORT: port({
    default: undefined,
    desc: 'Port for the platform client `operator` and the command line: the graph, and the issuer of the platform. No ingress, proxy or Service may lead to it. Unset: none.',
  }),
  OPERATOR_HOST: str({
    default: '127.0.0.1',
    desc: 'Address on which OPERATOR_PORT listens. The default is loopback, which `kubectl port-forward` and processes in the same container reach.',
  }),
  TRUSTED_PROXIES: list({
    default: [],
    desc: 'Proxies in front of this outermost process whose X-Forwarded-For is believed: addresses, CIDR ranges or the names loopback, linklocal, uniquelocal. Empty: none; the client is then the peer that connects.',
  }),
  DIRECTORY_URL: origin({ default: 'http://127.0.0.1:4002', desc: 'Where the directory service listens.' }),
  PROVISIONING_URL: origin({
    default: 'http://127.0.0.1:4003',
    desc: 'Where the provisioning service listens.',
  }),
  SUPERGRAPH_PATH: str({
    default: undefined,
    desc: 'The composed supergraph schema to serve. Unset: the one that comes with the release.',
  }),
  SUPERGRAPH_RELOAD_SECONDS: count({
    default: 5,
    desc: 'Interval at which the supergraph file is checked for a new version; SIGHUP checks it immediately. A new version replaces the previous one without dropped requests; an invalid one is rejected.',
  }),
  READY_FILE: str({
    default: undefined,
    desc: 'A file without which /readyz stays 503, for installations that are filled before they serve. Unset: no such condition.',
  }),
  CONSOLE: bool({
    default: true,
    desc: "Whether the administrator's console that comes with the release is served at /console.",
  }),
  CONSOLE_TENANTS: list({
    default: [],
    desc: 'Tenants that the console offers to sign in to, by their ids. Empty: it asks for one.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: false,
    devDefault: true,
    desc: 'Whether clients may ask the graph for its schema. On by default outside production only.',
  }),
  GRAPH_GRAPHIQL: bool({
    default: false,
    devDefault: true,
    desc: 'Whether GraphiQL is served at /graphiql, from files that come with a checkout. On by default outside production only.',
  }),
  GRAPH_DEPTH_LIMIT: count({ default: 15, desc: 'Most levels of fields in an operation.' }),
  GRAPH_COST_LIMIT: count({
    default: 100_000,
    desc: 'Most values the answer to an operation could hold, counted with the page sizes it asks for before it is executed.',
  }),
  GRAPH_POINTS_PER_MINUTE: count({
    default: 5_000_000,
    desc: 'Maximum cost per minute of the operations of one app, or of one user of an app, counted over all gateways; further operations are answered with 429. Requests without a token share one fiftieth of it per network.',
  }),
  GRAPH_PERSISTED_QUERIES: bool({
    default: true,
    desc: 'Whether clients may register queries to send only their digest later (APQ).',
  }),
  GRAPH_TRUSTED_DOCUMENTS: str({
    default: undefined,
    desc: 'A manifest of operations that clients may ask for by id. Unset: none.',
  }),
  GRAPH_TRUSTED_DOCUMENTS_ONLY: bool({
    default: false,
    desc: 'Whether nothing but the operations of the manifest is executed.',
  }),
  LIVE_ORIGINS: list({
    default: [],
    desc: 'Web origins, besides the public one, whose pages may open WebSockets for subscriptions.',
  }),
  LIVE_SUBSCRIPTIONS: count({
    default: 50_000,
    desc: 'Subscriptions, and WebSockets, that this process holds at most.',
  }),
  LIVE_CONNECTIONS_PER_CLIENT: count({
    default: 1_000,
    desc: 'Live connections to this process that one client may hold for one subject.',
  }),
  LIVE_CONNECTIONS_PER_NETWORK: count({
    default: 5_000,
    desc: 'WebSockets and event streams at this process from one address (an IPv6 /64 is one), with and without a token; then 429.',
  }),
  SCIM_BODY_LIMIT: count({
    default: 1_048_576,
    desc: 'Largest SCIM request body in bytes, as given to the provisioning service; larger ones get 413.',
  }),
  SUBGRAPH_TIMEOUT_MILLISECONDS: count({
    default: 10_000,
    desc: 'After this long a subgraph counts as unavailable for the operation; the rest of the answer is still given.',
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
