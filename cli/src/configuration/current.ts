import { Failure } from '../failure.ts';
import {
  ApiConfigurations,
  ClientDocuments,
  type ClientDocumentsQuery,
} from '../graph/generated/api-configuration.ts';
import {
  ClientConfigurations,
  ConnectorConfigurations,
  Settings,
  type SettingsQuery,
  WebhookConfigurations,
} from '../graph/generated/configuration.ts';
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
import { grantsOfGroups, noGrants } from './group-grants.ts';
import { logoAt } from './logo.ts';
import { type Party, partyNames } from './parties.ts';
import { type Names, type ProtectedAccounts, portable, type Raw } from './portable.ts';

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
  const [single, clientDocuments, apis, clients, ...others] = await Promise.all([
    graph.ask(Settings, {}),
    graph.ask(ClientDocuments, {}),
    collected(graph.all(ApiConfigurations, {}, (answer) => answer.apis)),
    collected(graph.all(ClientConfigurations, {}, (answer) => answer.clients)).then(ownOf),
    collected(graph.all(ConnectorConfigurations, {}, (answer) => answer.connectors)),
    collected(graph.all(WebhookConfigurations, {}, (answer) => answer.webhooks)),
    collected(graph.all(ServiceAccountConfigurations, {}, (answer) => answer.serviceAccounts)),
    document && !document.groupRoles && !document.groupApiRoles ? noGrants : grantsOfGroups(graph),
  ]);
  const [connectors, webhooks, serviceAccounts, { groupRoles, groupApiRoles }] = others;
  const { tenant, tenantPolicy, tenantBranding } = single;
  const { clientDocumentPolicy } = clientDocuments;
  if (!tenant || !tenantPolicy || !tenantBranding || !clientDocumentPolicy)
    throw new Failure('denied', 'The caller lacks the permission to read the configuration.');
  const names: Names = {
    apis: new Map(apis.map(({ id, identifier }) => [id, String(identifier)])),
    clients: namesOf(clients),
    parties: await partiesOf(graph, tenantPolicy, connectors),
  };
  const list = (section: ListSection, raw: readonly Raw[]): Present[] => presentOf(section, raw, names);
  const logo = await logoOf(tenantBranding.logoUrl, document);
  return {
    tenant: tenant.id,
    settings: settingsOf({ tenant, tenantPolicy, tenantBranding, clientDocumentPolicy }, names, logo),
    lists: {
      schemas: list('schemas', bySchemaId(nodesOf(single.schemasConnection))),
      apis: list('apis', apis),
      clients: list('clients', clients),
      connectors: list('connectors', connectors),
      webhooks: list('webhooks', webhooks),
      trustedIssuers: list('trustedIssuers', nodesOf(single.trustedIssuersConnection)),
      serviceAccounts: list('serviceAccounts', serviceAccounts),
      groupRoles: list('groupRoles', groupRoles),
      groupApiRoles: list('groupApiRoles', groupApiRoles),
    },
  };
}

function presentOf(section: ListSection, raw: readonly Raw[], names: Names): Present[] {
  const items = raw.map((each) => normalised(section, portable(section, each, names)));
  const keys = keysOf(section, items);
  return raw.map((each, at) => ({
    key: keys[at] ?? '',
    id: each.id,
    version: each.version,
    item: items[at] ?? {},
    raw: each,
  }));
}

type Read<Field> = NonNullable<Field> & { version: number };

interface ReadSettings {
  tenant: Read<SettingsQuery['tenant']>;
  tenantPolicy: Read<SettingsQuery['tenantPolicy']>;
  tenantBranding: Read<SettingsQuery['tenantBranding']>;
  clientDocumentPolicy: Read<ClientDocumentsQuery['clientDocumentPolicy']>;
}

function settingsOf(
  { tenant, tenantPolicy, tenantBranding, clientDocumentPolicy }: ReadSettings,
  { apis, parties }: Names,
  logo: string | null,
): Current['settings'] {
  const setting = (section: SettingSection, raw: { version: number } & Record<string, unknown>) => ({
    version: raw.version,
    item: normalised(section, raw as unknown as Item),
  });
  const { handOverCredentialsTo: successor } = tenantPolicy;
  return {
    settings: setting('settings', tenant),
    policy: setting('policy', {
      ...tenantPolicy,
      handOverCredentialsTo: (successor && parties.get(successor)) ?? null,
    }),
    branding: setting('branding', { ...tenantBranding, logo }),
    clientDocumentPolicy: setting('clientDocumentPolicy', {
      ...clientDocumentPolicy,
      // The policy keeps the ids of deleted APIs.
      apis: clientDocumentPolicy.apiIds.flatMap((id) => apis.get(id) ?? []),
    }),
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

/** Returns the document of a configuration. */
export const documentOf = ({ settings, lists }: Current): ConfigurationDocument => ({
  settings: settings.settings.item,
  policy: settings.policy.item,
  branding: settings.branding.item,
  clientDocumentPolicy: settings.clientDocumentPolicy.item,
  schemas: lists.schemas.map(({ item }) => item),
  apis: lists.apis.map(({ item }) => item),
  clients: lists.clients.map(({ item }) => item),
  connectors: lists.connectors.map(({ item }) => item),
  webhooks: lists.webhooks.map(({ item }) => item),
  trustedIssuers: lists.trustedIssuers.map(({ item }) => item),
  serviceAccounts: lists.serviceAccounts.map(({ item }) => item),
  groupRoles: lists.groupRoles.map(({ item }) => item),
  groupApiRoles: lists.groupApiRoles.map(({ item }) => item),
});
