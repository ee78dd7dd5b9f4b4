import {
  badUserInput,
  conflict,
  connection,
  decodeCursor,
  encodeCursor,
  type GraphContext,
  notFound,
  pageArguments,
  type Resolvers,
} from '@ostiary/graph';
import type { SchemaRegistry } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { ClientTaken, type Connectors } from '../data/connectors.ts';
import { quirkNames, quirksOf } from '../domain/compatibility/profiles.ts';
import { type Connector, noRules } from '../domain/connector.ts';
import { type ConnectorFields, quirkConstant, readConnectorFields } from './connector-input.ts';
import type { Loaders } from './loaders.ts';

interface CreateConnectorInput extends ConnectorFields {
  name: string;
}

const longestOverlap = 30 * 24 * 3600;

type Context = GraphContext<Loaders>;

/** What is defined for a tenant's resources. */
export type SchemasOf = (tenant: string) => Promise<SchemaRegistry>;

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** Connectors: queries, mutations and the fields of the type. */
export const connectorResolvers = (connectors: Connectors, schemasOf: SchemasOf) =>
  ({
    Query: {
      async connectors(
        _parent: unknown,
        args: { first?: number | null; after?: string | null },
        { tenant }: Context,
      ) {
        const page = pageArguments(args);
        const after = page.after === undefined ? undefined : decodeCursor('connectors', page.after, isId);
        const rows = await connectors.list(tenant, {
          limit: page.first + 1,
          ...(after === undefined ? {} : { after }),
        });
        return connection(rows, page, (row) => encodeCursor('connectors', row.id));
      },
      async connector(_parent: unknown, { id }: { id: string }, { loaders }: Context) {
        const connector = isUuid(id) ? await loaders.connector.load(id) : null;
        return connector?.status === 'deleted' ? null : connector;
      },
    },
    Mutation: {
      async createConnector(
        _parent: unknown,
        { input }: { input: CreateConnectorInput },
        { tenant }: Context,
      ) {
        const fields = await readConnectorFields(input, () => schemasOf(tenant));
        const { profile = 'auto', clientId = null, rules, ...rest } = fields;
        return refusingTakenClients(() =>
          connectors.create(tenant, {
            ...rest,
            name: fields.name ?? '',
            profile,
            clientId,
            rules: { ...noRules, ...rules },
          }),
        );
      },
      async updateConnector(
        _parent: unknown,
        { input }: { input: ConnectorFields & { id: string } },
        { tenant }: Context,
      ) {
        const fields = await readConnectorFields(input, () => schemasOf(tenant));
        const connector = isUuid(input.id)
          ? await refusingTakenClients(() => connectors.update(tenant, input.id, fields))
          : undefined;
        if (!connector) throw notFound('The connector');
        return { connector };
      },
      async deleteConnector(
        _parent: unknown,
        { input: { id } }: { input: { id: string } },
        { tenant }: Context,
      ) {
        if (!isUuid(id) || !(await connectors.remove(tenant, id))) throw notFound('The connector');
        return { id };
      },
      async revokeConnectorToken(
        _parent: unknown,
        { input: { id, tokenId } }: { input: { id: string; tokenId: string } },
        { tenant }: Context,
      ) {
        const connector =
          isUuid(id) && isUuid(tokenId) ? await connectors.revokeToken(tenant, id, tokenId) : undefined;
        if (!connector) throw notFound('The token');
        return { connector };
      },
      async rotateConnectorToken(
        _parent: unknown,
        { input }: { input: { id: string; overlapSeconds?: number | null } },
        { tenant }: Context,
      ) {
        const overlap = input.overlapSeconds ?? 0;
        if (overlap < 0 || overlap > longestOverlap) {
          throw badUserInput(`"overlapSeconds" must be between 0 and ${longestOverlap}.`, {
            argument: 'overlapSeconds',
          });
        }
        const rotated = isUuid(input.id)
          ? await connectors.rotateToken(tenant, input.id, overlap)
          : undefined;
        if (!rotated) throw notFound('The connector');
        return { ...rotated, previousTokenExpiresAt: rotated.previousExpiresAt };
      },
      disableConnector: (_parent: unknown, { input }: { input: { id: string } }, { tenant }: Context) =>
        setStatus(connectors, tenant, input.id, 'disabled'),
      enableConnector: (_parent: unknown, { input }: { input: { id: string } }, { tenant }: Context) =>
        setStatus(connectors, tenant, input.id, 'active'),
    },
    Connector: {
      __resolveReference: ({ id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.connector.load(id) : null,
      profile: (connector: Connector) => connector.profile.toUpperCase(),
      status: (connector: Connector) => connector.status.toUpperCase(),
      access: ({ rules }: Connector) => (rules.access === 'read' ? 'READ_ONLY' : 'READ_WRITE'),
      resourceTypes: ({ rules }: Connector) => rules.resourceTypes.map((type) => type.toUpperCase()),
      attributes: ({ rules: { attributes } }: Connector) =>
        attributes && { ...attributes, mode: attributes.mode.toUpperCase() },
      protectedAccounts({ rules: { protectedAccounts } }: Connector) {
        const { users, groups, administrators } = protectedAccounts;
        return { userIds: users, groupIds: groups, administrators };
      },
      quirks({ profile, quirks }: Connector) {
        const effective = quirksOf(profile, quirks);
        return quirkNames.map((name) => ({
          quirk: quirkConstant(name),
          enabled: effective[name],
          overridden: quirks[name] !== undefined,
        }));
      },
      tokens: (connector: Connector, _args: unknown, { loaders }: Context) =>
        loaders.tokens.load(connector.id),
    },
  }) satisfies Resolvers<Loaders>;

async function refusingTakenClients<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ClientTaken)) throw error;
    throw conflict('Another connector already belongs to this client.', { field: 'clientId' });
  }
}

async function setStatus(
  connectors: Connectors,
  tenant: string,
  id: string,
  status: 'active' | 'disabled',
): Promise<{ connector: Connector }> {
  const connector = isUuid(id) ? await connectors.setStatus(tenant, id, status) : undefined;
  if (!connector) throw notFound('The connector');
  return { connector };
}
