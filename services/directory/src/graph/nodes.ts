import type { Principal } from '@ostiary/access';
import { badUserInput, forbidden, requirePrincipal } from '@ostiary/graph';
import type { Directory } from '../domain/directory.ts';
import type { DirectoryContext, FieldResolvers } from './loaders.ts';

type NodeType =
  | 'USER'
  | 'GROUP'
  | 'TENANT'
  | 'SCHEMA'
  | 'AUDIT_ENTRY'
  | 'CLIENT'
  | 'CONNECTOR'
  | 'CONNECTOR_LOG_ENTRY'
  | 'PROVISIONING_LOG_ENTRY'
  | 'WEBHOOK'
  | 'SERVICE_ACCOUNT'
  | 'SIGNAL_STREAM'
  | 'DELIVERY'
  | 'SECURITY_EVENT';

interface Kind {
  typeName: string;
  scope: string;
  /** Undefined: another subgraph knows whether there is one, so that a reference is all there is to say. */
  load?: (id: string, context: DirectoryContext) => Promise<object | null | undefined>;
}

/** Most ids in one `nodes`. */
const mostNodes = 100;

const kinds = (directory: Directory): Record<NodeType, Kind> => ({
  USER: { typeName: 'User', scope: 'users:read', load: (id, { loaders }) => loaders.users.load(id) },
  GROUP: { typeName: 'Group', scope: 'groups:read', load: (id, { loaders }) => loaders.groups.load(id) },
  TENANT: {
    typeName: 'Tenant',
    scope: 'tenants:read',
    load: async (id, { tenant }) => (id === tenant ? directory.tenants.read(id) : null),
  },
  SCHEMA: {
    typeName: 'Schema',
    scope: 'tenants:read',
    load: (id, { loaders }) => loaders.schemas.load(id.toLowerCase()),
  },
  AUDIT_ENTRY: {
    typeName: 'AuditEntry',
    scope: 'audit:read',
    load: (id, { loaders }) => loaders.auditEntries.load(id),
  },
  CLIENT: { typeName: 'Client', scope: 'clients:read' },
  CONNECTOR: { typeName: 'Connector', scope: 'connectors:read' },
  WEBHOOK: { typeName: 'Webhook', scope: 'webhooks:read' },
  SERVICE_ACCOUNT: { typeName: 'ServiceAccount', scope: 'clients:read' },
  SIGNAL_STREAM: { typeName: 'SignalStream', scope: 'webhooks:read' },
  DELIVERY: { typeName: 'Delivery', scope: 'webhooks:read' },
  SECURITY_EVENT: { typeName: 'SecurityEvent', scope: 'audit:read' },
  CONNECTOR_LOG_ENTRY: { typeName: 'ConnectorLogEntry', scope: 'audit:read' },
  PROVISIONING_LOG_ENTRY: { typeName: 'ProvisioningLogEntry', scope: 'provisioning:read' },
});

/** Which kinds an id may be of when nobody says: those that are found by it alone, in the order they are looked for. */
const guessed = (id: string): NodeType[] => {
  if (id.toLowerCase().startsWith('urn:')) return ['SCHEMA'];
  return /^[0-9a-f]{8}-/i.test(id) ? ['USER', 'GROUP', 'AUDIT_ENTRY'] : ['TENANT'];
};

/** Whether the caller may know if there is one with this id: no more than the thing's own fields would tell. */
const maySee = (principal: Principal, kind: Kind, type: NodeType, id: string): boolean =>
  principal.scopes.has(kind.scope) ||
  (type === 'USER' && principal.kind === 'user' && principal.subject === id);

export function nodeQueries(directory: Directory): FieldResolvers {
  const all = kinds(directory);
  const find = async (id: string, type: NodeType | null | undefined, context: DirectoryContext) => {
    const principal = requirePrincipal(context);
    if (type) {
      const kind = all[type];
      if (!maySee(principal, kind, type, id)) throw forbidden([kind.scope]);
      return typed(kind, await load(kind, id, context));
    }
    const possible = guessed(id).filter((candidate) => maySee(principal, all[candidate], candidate, id));
    for (const candidate of possible) {
      const found = await load(all[candidate], id, context);
      if (found) return typed(all[candidate], found);
    }
    return null;
  };
  return {
    node: (_root, { id, type }: { id: string; type?: NodeType | null }, context) => find(id, type, context),
    nodes: (_root, { ids, type }: { ids: string[]; type?: NodeType | null }, context) => {
      if (ids.length > mostNodes) {
        throw badUserInput(`At most ${mostNodes} ids can be asked for at once.`, { argument: 'ids' });
      }
      return Promise.all(ids.map((id) => find(id, type, context)));
    },
  };
}

const load = async (kind: Kind, id: string, context: DirectoryContext) =>
  kind.load ? kind.load(id, context) : { id };

/** A copy: what loaders gave is everybody's. */
const typed = ({ typeName }: Kind, found: object | null | undefined): object | null =>
  found ? { ...found, __typename: typeName } : null;
