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
import { isUuid } from '@ostiary/service';
import { ClientTaken, type Connectors } from '../data/connectors.ts';
import { isProfile } from '../domain/compatibility/profiles.ts';
import type { Connector } from '../domain/connector.ts';
import type { Loaders } from './loaders.ts';

interface CreateConnectorInput {
  name: string;
  profile?: string | null;
  clientId?: string | null;
}

const longestName = 200;
const longestOverlap = 30 * 24 * 3600;

type Context = GraphContext<Loaders>;

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** Connectors: queries, mutations and the fields of the type. */
export const connectorResolvers = (connectors: Connectors) =>
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
      connector: (_parent: unknown, { id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.connector.load(id) : null,
    },
    Mutation: {
      async createConnector(
        _parent: unknown,
        { input }: { input: CreateConnectorInput },
        { tenant }: Context,
      ) {
        const profile = (input.profile ?? 'AUTO').toLowerCase();
        if (!isProfile(profile)) throw badUserInput('There is no such profile.', { argument: 'profile' });
        try {
          return await connectors.create(tenant, {
            name: readName(input.name),
            profile,
            clientId: readClientId(input.clientId),
          });
        } catch (error) {
          if (!(error instanceof ClientTaken)) throw error;
          throw conflict('Another connector already belongs to this client.', { field: 'clientId' });
        }
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
      profile: (connector: Connector) => connector.profile.toUpperCase(),
      status: (connector: Connector) => connector.status.toUpperCase(),
      tokens: (connector: Connector, _args: unknown, { loaders }: Context) =>
        loaders.tokens.load(connector.id),
    },
  }) satisfies Resolvers<Loaders>;

async function setStatus(
  connectors: Connectors,
  tenant: string,
  id: string,
  status: Connector['status'],
): Promise<{ connector: Connector }> {
  const connector = isUuid(id) ? await connectors.setStatus(tenant, id, status) : undefined;
  if (!connector) throw notFound('The connector');
  return { connector };
}

function readName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > longestName || !name.isWellFormed() || /\p{Cc}/u.test(name)) {
    throw badUserInput(`"name" must be 1 to ${longestName} characters.`, { argument: 'name' });
  }
  return name;
}

function readClientId(given: string | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw badUserInput('"clientId" is not a client id.', { argument: 'clientId' });
  }
  return given;
}
