import {
  checkIdempotencyKey,
  keyHolder,
  payloadOf,
  type Resolver,
  requirePrincipal,
  showProblems,
} from '@ostiary/graph';
import type { Directory } from '../../composition/directory.ts';
import type { DirectoryContext, FieldResolvers } from '../../composition/loaders.ts';
import { directoryProblem } from '../../errors/graph/problems.ts';

type Input = Record<string, unknown> & { idempotencyKey?: string | null };

/**
 * Mutations as the schema promises them: what is wrong with the input is part of the payload for whoever asks for it there, and with an idempotency key
 * a repetition has no second effect and the same answer.
 */
export const answering = (directory: Directory, mutations: FieldResolvers): FieldResolvers =>
  Object.fromEntries(
    Object.entries(mutations).map(([name, resolve]) => [
      name,
      async (
        root: never,
        { input }: { input: Input },
        context: DirectoryContext,
        info: Parameters<Resolver>[3],
      ) => {
        const { idempotencyKey, ...rest } = input;
        const change = () =>
          payloadOf(
            async () => (await resolve(root, { input: rest } as never, context, info)) as object,
            directoryProblem,
          );
        if (idempotencyKey === undefined || idempotencyKey === null)
          return showProblems(await change(), info);
        const answer = await payloadOf(() => {
          const principal = requirePrincipal(context);
          return directory.idempotency.answer(
            {
              tenant: principal.tenant,
              caller: keyHolder(principal),
              key: checkIdempotencyKey(idempotencyKey),
              request: [name, rest],
            },
            change,
          );
        }, directoryProblem);
        return showProblems(answer, info);
      },
    ]),
  ) as FieldResolvers;
