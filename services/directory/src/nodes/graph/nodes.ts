import type { Principal } from '@ostiary/access';
import { badUserInput, type GraphContext, requirePrincipal } from '@ostiary/graph';
import type { NodeLoaders, NodeResolvers } from './loaders.ts';

type Context = GraphContext<NodeLoaders>;

/** Finds a tenant by its id. @throws ScimError 404 */
interface Tenants {
  read(id: string): Promise<object>;
}

/** The permission to learn that a node of this type exists, the same as to read its fields. */
interface Readable {
  scope: string;
  /** Whether its owner may read it without the scope. */
  owned?: true;
}

interface Kind extends Readable {
  typeName: string;
  load: (id: string, context: Context) => Promise<object | null | undefined>;
}

/** Maximum number of ids in one `nodes`. */
const maxNodes = 100;

/** Types that the directory stores, in the order of the lookup. */
const ownKinds = (tenants: Tenants): Record<'uuid' | 'urn' | 'name', readonly Kind[]> => ({
  uuid: [
    {
      typeName: 'User',
      scope: 'users:read',
      owned: true,
      load: (id, { loaders }) => loaders.users.load(id),
    },
    { typeName: 'Group', scope: 'groups:read', load: (id, { loaders }) => loaders.groups.load(id) },
    { typeName: 'AuditEntry', scope: 'audit:read', load: (id, { loaders }) => loaders.auditEntries.load(id) },
  ],
  urn: [
    {
      typeName: 'Schema',
      scope: 'tenants:read',
      load: (id, { loaders }) => loaders.schemas.load(id.toLowerCase()),
    },
  ],
  name: [
    {
      typeName: 'Tenant',
      scope: 'tenants:read',
      load: async (id, { tenant }) => (id === tenant ? tenants.read(id) : null),
    },
  ],
});

/** Types of other services, which resolve their ids. */
const typesElsewhere: Readonly<Record<string, Readable>> = {
  Client: { scope: 'clients:read' },
  Api: { scope: 'clients:read' },
  ServiceAccount: { scope: 'clients:read' },
  ApiKey: { scope: 'clients:read' },
  InitialAccessToken: { scope: 'clients:read' },
  TrustedIssuer: { scope: 'clients:read' },
  SigningKey: { scope: 'tenants:read' },
  Session: { scope: 'sessions:read', owned: true },
  Grant: { scope: 'sessions:read', owned: true },
  Delegation: { scope: 'sessions:read', owned: true },
  PersonalAccessToken: { scope: 'sessions:read', owned: true },
  Webhook: { scope: 'webhooks:read' },
  SignalStream: { scope: 'webhooks:read' },
  Delivery: { scope: 'webhooks:read' },
  SecurityEvent: { scope: 'audit:read', owned: true },
  SignInAttempt: { scope: 'audit:read', owned: true },
  Connector: { scope: 'connectors:read' },
  ConnectorLogEntry: { scope: 'audit:read' },
  ProvisioningLogEntry: { scope: 'provisioning:read' },
};

const shapeOf = (id: string): 'uuid' | 'urn' | 'name' => {
  if (id.toLowerCase().startsWith('urn:')) return 'urn';
  return /^[0-9a-f]{8}-/i.test(id) ? 'uuid' : 'name';
};

/** Reports whether the caller may learn that the id exists: only if the node's own fields would reveal it. */
const maySee = (
  principal: Principal,
  { scope, owned }: Readable,
  owner: string | null | undefined,
): boolean => principal.scopes.has(scope) || (owned === true && isUser(principal, owner));

const isUser = (principal: Principal, id: string | null | undefined): boolean =>
  principal.kind === 'user' && principal.subject === id;

export function nodeQueries(tenants: Tenants): NodeResolvers {
  const own = ownKinds(tenants);
  const find = async (id: string, context: Context): Promise<object | null> => {
    const principal = requirePrincipal(context);
    const shape = shapeOf(id);
    for (const kind of own[shape]) {
      const found = maySee(principal, kind, id) ? await kind.load(id, context) : null;
      // A copy, because the objects of loaders are shared.
      if (found) return { ...found, __typename: kind.typeName };
    }
    return shape === 'urn' ? null : foundElsewhere(id, principal, context);
  };
  return {
    node: (_root, { id }: { id: string }, context) => find(id, context),
    nodes: (_root, { ids }: { ids: string[] }, context) => {
      if (ids.length > maxNodes) {
        throw badUserInput(`At most ${maxNodes} ids can be requested together.`, { argument: 'ids' });
      }
      return Promise.all(ids.map((id) => find(id, context)));
    },
  };
}

/** Returns a reference to a node of another subgraph, which resolves it by its key and its own rules. */
async function foundElsewhere(
  id: string,
  principal: Principal,
  { loaders }: Context,
): Promise<object | null> {
  const worthAsking = Object.values(typesElsewhere).some((kind) =>
    maySee(principal, kind, principal.subject),
  );
  const node = worthAsking ? await loaders.nodesElsewhere.load(id) : null;
  if (!node) return null;
  if ('failure' in node) throw node.failure;
  const kind = Object.hasOwn(typesElsewhere, node.type) ? typesElsewhere[node.type] : undefined;
  return kind && maySee(principal, kind, node.ownerId) ? { id: node.id, __typename: node.type } : null;
}
