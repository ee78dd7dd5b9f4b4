import {
  checkIdempotencyKey,
  type GraphContext,
  idempotencyKeyReused,
  keyHolder,
  type Problem,
  payloadOf,
  type Resolver,
  requirePrincipal,
  showProblems,
} from '@ostiary/graph';
import { directoryProblem } from '../errors/graph/problems.ts';
import { type Idempotency, KeyReused } from './domain/idempotency.ts';

type Input = Record<string, unknown> & { idempotencyKey?: string | null };

const problemOf = (cause: unknown): Problem | undefined =>
  cause instanceof KeyReused ? idempotencyKeyReused() : directoryProblem(cause);

/**
 * Wraps mutations: problems with the input become part of the payload for callers that select them, and a repetition
 * with the same idempotency key has no second effect and the same response.
 */
export const idempotentMutations = <L>(
  idempotency: Idempotency,
  mutations: Record<string, Resolver<L>>,
): Record<string, Resolver<L>> =>
  Object.fromEntries(
    Object.entries(mutations).map(([name, resolve]) => [name, idempotent(idempotency, name, resolve)]),
  );

const idempotent =
  <L>(idempotency: Idempotency, name: string, resolve: Resolver<L>): Resolver<L> =>
  async (root: never, { input }: { input: Input }, context: GraphContext<L>, info) => {
    const { idempotencyKey, ...rest } = input;
    const change = () =>
      payloadOf(
        async () => (await resolve(root, { input: rest } as never, context, info)) as object,
        problemOf,
      );
    if (idempotencyKey === undefined || idempotencyKey === null) return showProblems(await change(), info);
    const answer = await payloadOf(() => {
      const principal = requirePrincipal(context);
      return idempotency.answer(
        {
          tenant: principal.tenant,
          caller: keyHolder(principal),
          key: checkIdempotencyKey(idempotencyKey),
          request: [name, rest],
        },
        change,
      );
    }, problemOf);
    return showProblems(answer, info);
  };
