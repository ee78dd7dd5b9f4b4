import { badUserInput, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { type Claim, claimOf, longestKey, Repeated } from '../domain/idempotency.ts';
import { deriveKey } from '../domain/secret.ts';
import type { PeopleDependencies } from '../people.ts';

/**
 * Makes something once for an idempotency key. A repeat is answered with what was made then, without what is shown only
 * once: only a digest of that is kept, so nobody can show it again.
 * @param input with its `idempotencyKey`, if the caller gave one
 * @param make is given the claim it has to make in its transaction
 * @param again finds what was made before
 */
export async function once<T extends object, R extends object>(
  { env }: Pick<PeopleDependencies, 'env'>,
  context: GraphContext<unknown>,
  operation: string,
  input: { idempotencyKey?: string | null },
  make: (claim: Claim | undefined) => Promise<T>,
  again: (resourceId: string) => Promise<R>,
): Promise<(T & { repeated: boolean }) | (R & { repeated: boolean })> {
  const { idempotencyKey, ...rest } = input;
  if (idempotencyKey === null || idempotencyKey === undefined)
    return { ...(await make(undefined)), repeated: false };
  if (idempotencyKey === '' || idempotencyKey.length > longestKey) {
    throw badUserInput(`"idempotencyKey" must have 1 to ${longestKey} characters.`, {
      argument: 'idempotencyKey',
    });
  }
  const { kind, subject, clientId } = requirePrincipal(context);
  const claim = claimOf(deriveKey(env.ENCRYPTION_KEY, 'idempotency'), {
    caller: `${kind}/${subject}/${clientId}`,
    operation,
    idempotencyKey,
    input: rest,
  });
  try {
    return { ...(await make(claim)), repeated: false };
  } catch (error) {
    if (error instanceof Repeated) return { ...(await again(error.resourceId)), repeated: true };
    throw error;
  }
}
