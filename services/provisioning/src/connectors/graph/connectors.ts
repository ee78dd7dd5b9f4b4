import { countedPageById, type GraphContext, type PagingArguments, type Resolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { quirkNames, quirksOf } from '../../compatibility/index.ts';
import type { Connector, ConnectorToken } from '../domain/connector.ts';
import type { ConnectorOwner } from '../domain/ownership.ts';
import { type ConnectorFilterInput, quirkConstant, readConnectorFilter } from './connector-input.ts';
import { connectorMutations } from './connector-mutations.ts';
import { type ConnectorLoaders, existingConnector } from './loaders.ts';
import type { ConnectorServices } from './services.ts';

type Context = GraphContext<ConnectorLoaders>;

/** Resolvers of connectors: queries, mutations and the fields of the type. */
export const connectorResolvers = (services: ConnectorServices) =>
  ({
    Query: {
      connectors(
        _parent: unknown,
        args: PagingArguments & { filter?: ConnectorFilterInput | null },
        { tenant }: Context,
      ) {
        const filter = readConnectorFilter(args.filter);
        return countedPageById(args, {
          kind: 'connectors',
          rows: (page) => services.connectors.list(tenant, page, filter),
          total: () => services.connectors.count(tenant, filter),
        });
      },
      connector: (_parent: unknown, { id }: { id: string }, { loaders }: Context) =>
        existingConnector(loaders, id),
    },
    Mutation: connectorMutations(services),
    Connector: {
      __resolveReference: ({ id }: { id: string }, { loaders }: Context) => existingConnector(loaders, id),
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
      vouchesForEmails: ({ rules }: Connector) => rules.vouchesForEmails,
      quirks({ profile, quirks }: Connector) {
        const effective = quirksOf(profile, quirks);
        return quirkNames.map((name) => ({
          quirk: quirkConstant(name),
          enabled: effective[name],
          overridden: quirks[name] !== undefined,
        }));
      },
      owner: ({ owner }: Connector) => owner,
      tokens: (connector: Connector, _args: unknown, { loaders }: Context) =>
        loaders.tokens.load(connector.id),
    },
    User: {
      knownConnectorTokens: ({ id }: { id: string }, _args: object, { tenant }: Context) =>
        isUuid(id) ? services.connectors.tokensKnownTo(tenant, id) : [],
    },
    KnownConnectorToken: {
      connector: ({ connectorId }: ConnectorToken, _args: object, { loaders }: Context) =>
        existingConnector(loaders, connectorId),
      token: (token: ConnectorToken) => token,
    },
    CredentialOwner: {
      __resolveType: ({ kind }: ConnectorOwner) => (kind === 'user' ? 'User' : 'Group'),
    },
  }) satisfies Resolvers<ConnectorLoaders>;
