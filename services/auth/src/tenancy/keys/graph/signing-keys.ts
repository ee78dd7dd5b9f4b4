import {
  badUserInput,
  batchOne,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type PagingArguments,
  pageOfList,
  type TypeResolvers,
} from '@ostiary/graph';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Reference } from '../../../platform/subgraph/graph/references.ts';
import type { SigningAlgorithm } from '../domain/jwt.ts';
import { type RotationPorts, rotateSigningKeys } from '../domain/key-rotation.ts';
import type { SigningKeySummary } from '../domain/signing-key-summary.ts';
import type { KeyState } from '../domain/signing-keys.ts';

type Context = GraphContext<SigningKeyLoaders>;

interface RotateInput {
  algorithms?: readonly SigningAlgorithm[] | null;
  compromised?: boolean | null;
  idempotencyKey?: string | null;
}

interface SigningKeyList {
  list(tenant: string): Promise<SigningKeySummary[]>;
}

export type SigningKeyDependencies = RotationPorts & OnceDependencies & { signingKeys: SigningKeyList };

export interface SigningKeyLoaders {
  /** By kid. */
  signingKeysById: DataLoader<string, SigningKeySummary | null>;
}

export const signingKeyLoaders =
  ({ signingKeys }: { signingKeys: SigningKeyList }) =>
  ({ tenant }: LoaderScope): SigningKeyLoaders => ({
    signingKeysById: batchOne(
      () => signingKeys.list(tenant),
      ({ kid }) => kid,
    ),
  });

/** Resolvers of the signing keys of the caller's tenant. */
export function signingKeyResolvers(deps: SigningKeyDependencies): {
  SigningAlgorithm: Record<string, SigningAlgorithm>;
  SigningKeyState: Record<string, KeyState>;
  SigningKey: TypeResolvers<SigningKeyLoaders>;
  Query: TypeResolvers<SigningKeyLoaders>;
  Mutation: TypeResolvers<SigningKeyLoaders>;
} {
  const list = (tenant: string): Promise<SigningKeySummary[]> => deps.signingKeys.list(tenant);
  return {
    SigningAlgorithm: { ES256: 'ES256', RS256: 'RS256', PS256: 'PS256', EDDSA: 'EdDSA' },
    SigningKeyState: { NEXT: 'next', CURRENT: 'current', RETIRED: 'retired' },
    SigningKey: {
      __resolveReference: ({ id }: Reference, { loaders }: Context) => loaders.signingKeysById.load(id),
      id: (key: SigningKeySummary) => key.kid,
      algorithm: (key: SigningKeySummary) => key.alg,
    },
    Query: {
      signingKeys: (_parent: unknown, _args: object, { tenant }: Context) => list(tenant),
      signingKeysConnection: async (_parent: unknown, input: PagingArguments, { tenant }: Context) =>
        pageOfList(input, { kind: 'signing-key', list: await list(tenant), keyOf: ({ kid }) => kid }),
    },
    Mutation: {
      async rotateSigningKeys(_parent: unknown, { input }: { input: RotateInput }, context: Context) {
        const { tenant } = context;
        if (input.algorithms?.length === 0) {
          throw badUserInput('Specify at least one algorithm, or omit the argument to rotate all.', {
            argument: 'algorithms',
          });
        }
        const command = {
          ...(input.algorithms ? { algorithms: input.algorithms } : {}),
          compromised: input.compromised ?? false,
        };
        const answer = async () => ({ signingKeys: await list(tenant) });
        return once(
          deps,
          context,
          'rotateSigningKeys',
          input,
          async (claim) => {
            await rotateSigningKeys(deps, tenant, command, claim);
            return answer();
          },
          answer,
        );
      },
    },
  };
}
