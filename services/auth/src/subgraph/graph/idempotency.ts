import {
  type Claim,
  type ClaimOptions,
  claimOf,
  type Database,
  doneBefore,
  Repeated,
} from '@ostiary/database';
import {
  checkIdempotencyKey,
  type GraphContext,
  keyHolder,
  problemOf,
  requirePrincipal,
} from '@ostiary/graph';
import type { ChangeTerms } from '../../protocol/index.ts';
import { authProblem } from './problems.ts';

/** What remembers the changes that were made under an idempotency key. */
export interface OnceDependencies {
  keptKeys: { of(purpose: 'idempotency'): () => Buffer };
  database: Pick<Database<unknown>, 'sql'>;
}

/**
 * Makes a change once for an idempotency key. A repeat is answered with what was made then, without what is shown only
 * once: only a digest of that is kept, so nobody can show it again.
 * @param input with its `idempotencyKey`, if the caller gave one
 * @param make is given the claim it has to make in its transaction. Of what can't be done twice (what is deleted isn't found) it
 * throws the refusal: a repeat is told from a mistake by the key.
 * @param again tells what was made before; given what the claim was made for
 */
export async function once<T extends object, R extends object>(
  { keptKeys, database }: OnceDependencies,
  context: GraphContext<unknown>,
  operation: string,
  input: { idempotencyKey?: string | null },
  make: (claim: Claim | undefined) => Promise<T>,
  again: (resourceId: string) => Promise<R> | R,
): Promise<(T & { repeated: boolean }) | (R & { repeated: boolean })> {
  const { idempotencyKey, ...rest } = input;
  if (idempotencyKey === null || idempotencyKey === undefined)
    return { ...(await make(undefined)), repeated: false };
  const asked: ClaimOptions = {
    schema: 'auth',
    macKey: keptKeys.of('idempotency')(),
    caller: callerOf(context),
    operation,
    idempotencyKey: checkIdempotencyKey(idempotencyKey),
    input: rest,
  };
  try {
    return { ...(await make(claimOf(asked))), repeated: false };
  } catch (error) {
    const before = await madeBefore(error, () => doneBefore(database.sql, context.tenant, asked));
    if (before === undefined) throw error;
    return { ...(await again(before)), repeated: true };
  }
}

/** What a change is based on, as its input says, and the claim of its key. */
export const termsOf = ({ version }: { version?: number | null }, claim: Claim | undefined): ChangeTerms => ({
  version: version ?? undefined,
  claim,
});

/**
 * What the change was made to, when its failure is that it was made before. Refusals of the change itself may be so; whoever
 * may not ask at all is told so in any case.
 */
async function madeBefore(
  failure: unknown,
  lookUp: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (failure instanceof Repeated) return failure.resourceId;
  return (authProblem(failure) ?? problemOf(failure)) ? lookUp() : undefined;
}

/** Who acts for somebody else (RFC 8693) has keys of their own; for all others it reads as it always did. */
function callerOf(context: GraphContext<unknown>): string {
  const [kind, subject, clientId, actor] = keyHolder(requirePrincipal(context));
  const caller = [kind, subject, clientId].join('/');
  return actor === undefined ? caller : `${caller}/${actor}`;
}
