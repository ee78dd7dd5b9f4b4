import { badUserInput, type GraphContext, type TypeResolvers } from '@ostiary/graph';
import type { PeopleDependencies } from '../../composition/people.ts';
import type { Protocol } from '../../composition/protocol.ts';
import { type AuthLoaders, once } from '../../subgraph/graph/index.ts';
import type { SigningKeySummary } from '../data/signing-keys.ts';
import type { SigningAlgorithm } from '../domain/jwt.ts';
import { type RotationPorts, rotateSigningKeys } from '../domain/key-rotation.ts';
import type { KeyState } from '../domain/signing-keys.ts';

type Context = GraphContext<AuthLoaders>;

interface RotateInput {
  algorithms?: readonly SigningAlgorithm[] | null;
  compromised?: boolean | null;
  idempotencyKey?: string | null;
}

/** The signing keys of the caller's tenant. */
export function signingKeyResolvers(
  deps: RotationPorts & Pick<Protocol, 'signingKeys'> & PeopleDependencies,
): {
  SigningAlgorithm: Record<string, SigningAlgorithm>;
  SigningKeyState: Record<string, KeyState>;
  SigningKey: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  const list = (tenant: string): Promise<SigningKeySummary[]> => deps.signingKeys.list(tenant);
  return {
    SigningAlgorithm: { ES256: 'ES256', RS256: 'RS256', PS256: 'PS256', EDDSA: 'EdDSA' },
    SigningKeyState: { NEXT: 'next', CURRENT: 'current', RETIRED: 'retired' },
    SigningKey: {
      id: (key: SigningKeySummary) => key.kid,
      algorithm: (key: SigningKeySummary) => key.alg,
    },
    Query: {
      signingKeys: (_parent: unknown, _args: object, { tenant }: Context) => list(tenant),
    },
    Mutation: {
      async rotateSigningKeys(_parent: unknown, { input }: { input: RotateInput }, context: Context) {
        const { tenant } = context;
        if (input.algorithms?.length === 0) {
          throw badUserInput('Name at least one algorithm, or leave them out for all.', {
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
