import { Failure } from '../failure.ts';
import {
  ClientConfigurations,
  ConnectorConfigurations,
  Settings,
  WebhookConfigurations,
} from '../graph/generated/configuration.ts';
import { GroupRoles } from '../graph/generated/parties.ts';
import { ServiceAccountConfigurations } from '../graph/generated/service-accounts.ts';
import type { Graph } from '../graph/graph.ts';
import {
  type ConfigurationDocument,
  type Item,
  keysOf,
  type ListSection,
  normalised,
  type Plain,
  type SettingSection,
} from './document.ts';
import { logoAt } from './logo.ts';
import { type Party, partyNames } from './parties.ts';

/** An object of the tenant: its document form, and the data that a change needs. */
export interface Present {
  key: string;
  id: string;
  version: number;
  item: Item;
  /** Fields as returned by the graph. */
  raw: Readonly<Record<string, Plain | undefined>>;
}

export interface Current {
  settings: Readonly<Record<SettingSection, { version: number; item: Item }>>;
  lists: Readonly<Record<ListSection, readonly Present[]>>;
  tenant: string;
}

type Raw = Record<string, Plain | undefined> & { id: string; version: number; createdAt?: string };

/**
 * Reads the entire configuration of a tenant.
 * @param document the document to compare with: costly parts that it does not contain are skipped
 * @throws Failure
 */
export async function readCurrent(graph: Graph, document?: ConfigurationDocument): Promise<Current> {
  const collected = async <Node>(nodes: AsyncGenerator<Node>): Promise<Raw[]> => {
    const all: Raw[] = [];
    for await (const node of nodes) all.push(node as unknown as Raw);
    // Oldest first: an order that later changes do not affect.
    return all.sort((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1));
  };
  const [single, clients, connectors, webhooks, serviceAccounts, groupRoles] = await Promise.all([
    graph.ask(Settings, {}),
    collected(graph.all(ClientConfigurations, {}, (answer) => answer.clients)).then(ownOf),
    collected(graph.all(ConnectorConfigurations, {}, (answer) => answer.connectors)),
    collected(graph.all(WebhookConfigurations, {}, (answer) => answer.webhooks)),
    collected(graph.all(ServiceAccountConfigurations, {}, (answer) => answer.serviceAccounts)),
    document && !document.groupRoles ? [] : groupRolesOf(graph),
  ]);
  const { tenant, tenantPolicy, tenantBranding } = single;
  if (!tenant || !tenantPolicy || !tenantBranding)
    throw new Failure('denied', 'The caller lacks the permission to read the configuration.');
  const names: Names = {
    clients: namesOf(clients),
    parties: await partiesOf(graph, tenantPolicy, connectors),
  };
  const logo = await logoOf(tenantBranding.logoUrl, document);
  const { handOverCredentialsTo: successor } = tenantPolicy;
  const list = (section: ListSection, raw: readonly Raw[]): Present[] => {
    const items = raw.map((each) => normalised(section, portable(section, each, names)));
    const keys = keysOf(section, items);
    return raw.map((each, at) => ({
      key: keys[at] ?? '',
      id: each.id,
      version: each.version,
      item: items[at] ?? {},
      raw: each,
    }));
  };
  const setting = (section: SettingSection, raw: { version: number } & Record<string, unknown>) => ({
    version: raw.version,
    item: normalised(section, raw as unknown as Item),
  });
  return {
    tenant: tenant.id,
    settings: {
      settings: setting('settings', tenant),
      policy: setting('policy', {
        ...tenantPolicy,
        handOverCredentialsTo: (successor && names.parties.get(successor)) ?? null,
      }),
      branding: setting('branding', { ...tenantBranding, logo }),
    },
    lists: {
      schemas: list('schemas', bySchemaId(nodesOf(single.schemasConnection))),
      clients: list('clients', clients),
      connectors: list('connectors', connectors),
      webhooks: list('webhooks', webhooks),
      trustedIssuers: list('trustedIssuers', nodesOf(single.trustedIssuersConnection)),
      serviceAccounts: list('serviceAccounts', serviceAccounts),
      groupRoles: list('groupRoles', groupRoles),
    },
  };
}

/** The client of the console belongs to the installation: tenants neither register nor delete it. */
const ownOf = (clients: readonly Raw[]): Raw[] => clients.filter(({ id }) => id !== 'console');

/** Fetches the logo, unless the compared document does not contain it. */
const logoOf = async (
  url: string | null,
  document: ConfigurationDocument | undefined,
): Promise<string | null> =>
  url !== null && (!document || document.branding?.logo !== undefined) ? logoAt(url) : null;

/** The items are compared as plain objects. */
const nodesOf = (page: { edges: readonly { node: unknown }[] } | null): Raw[] =>
  (page?.edges.map(({ node }) => node) ?? []) as Raw[];

const bySchemaId = (schemas: readonly Raw[]): Raw[] => [...schemas].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Returns the names by which items refer to clients, by client id. */
function namesOf(clients: readonly Raw[]): ReadonlyMap<string, string> {
  const keys = keysOf('clients', clients as readonly Item[]);
  return new Map(clients.map(({ id }, at) => [id, keys[at] ?? id]));
}

interface Names {
  clients: ReadonlyMap<string, string>;
  parties: ReadonlyMap<string, Party>;
}

/** Returns the names of all users and groups that the configuration refers to. */
function partiesOf(
  graph: Graph,
  policy: { handOverCredentialsTo: string | null },
  connectors: readonly Raw[],
): Promise<ReadonlyMap<string, Party>> {
  const guarded = connectors.flatMap(({ protectedAccounts }) => {
    const { groupIds, userIds } = protectedAccounts as unknown as ProtectedAccounts;
    return [...groupIds, ...userIds];
  });
  return partyNames(graph, [
    ...guarded,
    ...(policy.handOverCredentialsTo === null ? [] : [policy.handOverCredentialsTo]),
  ]);
}

export interface ProtectedAccounts {
  administrators: boolean;
  groupIds: string[];
  userIds: string[];
}

/** Returns every role of every group, by group name. */
async function groupRolesOf(graph: Graph): Promise<Raw[]> {
  const all: Raw[] = [];
  for await (const { id, displayName, roleGrants } of graph.all(GroupRoles, {}, (answer) => answer.groups)) {
    for (const grant of roleGrants ?? []) all.push({ ...grant, id, group: displayName, version: 0 });
  }
  const order = ({ group, role, id }: Raw): string => JSON.stringify([group, role, id]);
  return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Replaces ids, which are specific to the tenant, with names. */
function portable(
  section: ListSection,
  raw: Raw,
  { clients: names, parties }: Names,
): Record<string, Plain | undefined> {
  const name = (id: Plain | undefined): Plain | undefined =>
    typeof id === 'string' ? (names.get(id) ?? id) : id;
  if (section === 'clients') {
    const exchange = raw.tokenExchange as { impersonation: boolean; subjectClients: string[] } | null;
    return {
      ...raw,
      mayAct: name(raw.mayAct),
      tokenExchange: exchange && {
        impersonation: exchange.impersonation,
        subjectClients: exchange.subjectClients.map((id) => String(name(id))).sort(),
      },
    };
  }
  if (section === 'schemas')
    return { ...raw, attributes: (raw.attributes as Attribute[]).map(sayingSomething) };
  if (section === 'connectors') {
    const quirks = (raw.quirks ?? []) as { quirk: string; enabled: boolean; overridden: boolean }[];
    const { administrators, groupIds, userIds } = raw.protectedAccounts as unknown as ProtectedAccounts;
    const guarded = [...groupIds, ...userIds].flatMap((id) => parties.get(id) ?? []);
    return {
      ...raw,
      clientId: name(raw.clientId),
      disabled: raw.status === 'DISABLED',
      protectAdministrators: administrators,
      protectedGroups: guarded.flatMap((party) => ('group' in party ? [party.group] : [])),
      protectedUsers: guarded.flatMap((party) => ('user' in party ? [party.user] : [])),
      quirks: quirks.filter(({ overridden }) => overridden).map(({ quirk, enabled }) => ({ quirk, enabled })),
    };
  }
  // A webhook that the service disabled because it fails is exported as enabled: this state is not configuration.
  if (section === 'webhooks') return { ...raw, status: raw.statusReason === null ? raw.status : 'ENABLED' };
  if (section === 'trustedIssuers') {
    return { ...raw, clientIds: (raw.clientIds as string[]).map((id) => String(name(id))) };
  }
  return raw;
}

type Attribute = Record<string, Plain>;

/** Omits empty members of an attribute, and members that are not valid for every type. */
function sayingSomething(attribute: Attribute): Attribute {
  const { subAttributes, canonicalValues, restrictToCanonicalValues, ...rest } = attribute;
  const parts = (subAttributes ?? []) as Attribute[];
  const values = (canonicalValues ?? []) as string[];
  return {
    ...Object.fromEntries(
      Object.entries(rest).filter(
        ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
      ),
    ),
    ...(values.length > 0
      ? { canonicalValues: values, restrictToCanonicalValues: restrictToCanonicalValues ?? null }
      : {}),
    ...(parts.length > 0 ? { subAttributes: parts.map(sayingSomething) } : {}),
  };
}

/** Returns the document of a configuration. */
export const documentOf = ({ settings, lists }: Current): ConfigurationDocument => ({
  settings: settings.settings.item,
  policy: settings.policy.item,
  branding: settings.branding.item,
  schemas: lists.schemas.map(({ item }) => item),
  clients: lists.clients.map(({ item }) => item),
  connectors: lists.connectors.map(({ item }) => item),
  webhooks: lists.webhooks.map(({ item }) => item),
  trustedIssuers: lists.trustedIssuers.map(({ item }) => item),
  serviceAccounts: lists.serviceAccounts.map(({ item }) => item),
  groupRoles: lists.groupRoles.map(({ item }) => item),
});
