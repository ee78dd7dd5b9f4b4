import {
  badUserInput,
  countedPageById,
  type GraphContext,
  type PagingArguments,
  type Resolvers,
} from '@ostiary/graph';
import { idToLookUp, isUuid } from '@ostiary/service';
import { quirkNames, quirksOf } from '../../compatibility/index.ts';
import { type Connector, noRules } from '../domain/connector.ts';
import type { ChangeTarget } from '../domain/connector-changes.ts';
import { type ConnectorOwner, type NamedOwner, NoSuchOwner, whoMakes } from '../domain/ownership.ts';
import { type Change, changing } from './changes.ts';
import { mayHandOut } from './conferring.ts';
import {
  type ConnectorFields,
  type ConnectorFilterInput,
  quirkConstant,
  readConnectorFields,
  readConnectorFilter,
} from './connector-input.ts';
import { type ConnectorLoaders, existingConnector } from './loaders.ts';
import type { ConnectorServices } from './services.ts';

/** What is said of a mutation's connector. */
interface TargetInput {
  id: string;
  version?: number | null;
}

const longestOverlap = 30 * 24 * 3600;

type Context = GraphContext<ConnectorLoaders>;

/** Connectors: queries, mutations and the fields of the type. */
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
    CredentialOwner: {
      __resolveType: ({ kind }: ConnectorOwner) => (kind === 'user' ? 'User' : 'Group'),
    },
  }) satisfies Resolvers<ConnectorLoaders>;

function targetOf({ id, version }: TargetInput): ChangeTarget {
  return { id: idToLookUp(id), ...(typeof version === 'number' && { version }) };
}

function connectorMutations(services: ConnectorServices) {
  const { administration, connectors, schemasOf, keys } = services;
  // Not by the loader: what was read before the change is old.
  const connectorNow = async (id: string, { tenant }: Context) => {
    const [connector] = await connectors.byIds(tenant, [id]);
    return { connector: connector?.status === 'deleted' ? null : connector };
  };
  const setStatus = (status: 'active' | 'disabled'): Change<TargetInput> => ({
    make: async (input, by, context) => ({
      connector: await administration.setStatus(by, targetOf(input), status, mayHandOut(services, context)),
    }),
    again: connectorNow,
  });
  /** @throws NoSuchOwner, ServiceUnavailable */
  async function named(tenant: string, id: string): Promise<NamedOwner> {
    const owner = isUuid(id.toLowerCase()) ? await services.owners.name(tenant, id.toLowerCase()) : undefined;
    if (!owner) throw new NoSuchOwner();
    return owner;
  }
  const createConnector: Change<ConnectorFields & { ownerId?: string | null }> = {
    async make(input, by) {
      const ownerId = input.ownerId ?? whoMakes(by.actor);
      const owner = ownerId === undefined ? null : await named(by.tenant, ownerId);
      const fields = await readConnectorFields(input, () => schemasOf(by.tenant));
      const { name = '', profile = 'auto', clientId = null, rules, ...rest } = fields;
      return administration.create(by, {
        ...rest,
        name,
        profile,
        clientId,
        rules: { ...noRules, ...rules },
        owner,
      });
    },
    again: connectorNow,
  };
  const updateConnector: Change<TargetInput & ConnectorFields> = {
    async make(input, by, context) {
      const fields = await readConnectorFields(input, () => schemasOf(by.tenant));
      const mayOpen = mayHandOut(services, context);
      return { connector: await administration.update(by, targetOf(input), fields, mayOpen) };
    },
    again: connectorNow,
  };
  const transferConnector: Change<TargetInput & { ownerId: string }> = {
    async make(input, by, context) {
      const owner = await named(by.tenant, input.ownerId);
      const mayOpen = mayHandOut(services, context);
      return { connector: await administration.transfer(by, targetOf(input), owner, mayOpen) };
    },
    again: connectorNow,
  };
  const deleteConnector: Change<TargetInput> = {
    async make(input, by) {
      await administration.remove(by, targetOf(input));
      return { id: input.id };
    },
    again: async (id) => ({ id }),
  };
  const rotateConnectorToken: Change<TargetInput & { overlapSeconds?: number | null }> = {
    async make(input, by, context) {
      const overlap = input.overlapSeconds ?? 0;
      if (overlap < 0 || overlap > longestOverlap) {
        throw badUserInput(`"overlapSeconds" must be between 0 and ${longestOverlap}.`, {
          argument: 'overlapSeconds',
        });
      }
      const mayOpen = mayHandOut(services, context);
      const rotated = await administration.rotateToken(by, targetOf(input), overlap, mayOpen);
      return { ...rotated, previousTokenExpiresAt: rotated.previousExpiresAt };
    },
    again: connectorNow,
  };
  const revokeConnectorToken: Change<TargetInput & { tokenId: string }> = {
    async make(input, by) {
      const token = idToLookUp(input.tokenId);
      return { connector: await administration.revokeToken(by, targetOf(input), token) };
    },
    again: connectorNow,
  };
  return {
    ...changing(keys, { createConnector }),
    ...changing(keys, { updateConnector }),
    ...changing(keys, { transferConnector }),
    ...changing(keys, {
      deleteConnector,
      disableConnector: setStatus('disabled'),
      enableConnector: setStatus('active'),
    }),
    ...changing(keys, { rotateConnectorToken }),
    ...changing(keys, { revokeConnectorToken }),
  };
}
