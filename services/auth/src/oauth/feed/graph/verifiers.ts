import {
  batchMany,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type PagingArguments,
  pageOfList,
  type TypeResolvers,
} from '@ostiary/graph';
import type { Verifier, VerifiersOf } from '../domain/verifier.ts';

/** Maximum of a GraphQL Int. */
const maxInt = 2 ** 31 - 1;

export interface VerifierLoaders {
  /** By identifier of the API. */
  verifiers: DataLoader<string, Verifier[]>;
}

type Context = GraphContext<VerifierLoaders>;

export interface VerifierDependencies {
  verifiers: VerifiersOf;
  clients: { find(tenant: string, clientId: string): Promise<object | null> };
}

export const verifierLoaders =
  ({ verifiers }: VerifierDependencies) =>
  ({ tenant }: LoaderScope): VerifierLoaders => ({
    verifiers: batchMany(
      (identifiers) => verifiers(tenant, identifiers),
      ({ identifier }) => identifier,
    ),
  });

/** Resolvers of the clients that serve an API, with their followers. */
export function verifierResolvers({ clients }: VerifierDependencies): {
  Api: TypeResolvers<VerifierLoaders>;
  ApiVerifier: TypeResolvers<VerifierLoaders>;
} {
  return {
    Api: {
      verifiers: async (
        { identifier }: { identifier: string },
        args: PagingArguments,
        { loaders }: Context,
      ) =>
        pageOfList(args, {
          kind: 'api-verifier',
          list: await loaders.verifiers.load(identifier),
          keyOf: ({ clientId }) => clientId,
        }),
    },
    ApiVerifier: {
      client: ({ clientId }: Verifier, _args: object, { tenant }: Context) => clients.find(tenant, clientId),
      lagMs: ({ lagMs }: Verifier) =>
        lagMs === null ? null : Math.min(maxInt, Math.max(0, Math.round(lagMs))),
    },
  };
}
