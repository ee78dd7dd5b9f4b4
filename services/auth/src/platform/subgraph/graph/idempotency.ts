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
import type { ChangeTerms } from '../../protocol/domain/versions.ts';
import { authProblem } from './problems.ts';

export interface OnceDependencies {
  keptKeys: { of(purpose: 'idempotency'): () => Buffer };
  database: Database<unknown>;
}

/**
 * Makes a change once per idempotency key. A repeated request gets the first result, without secrets that are shown
 * once: only their digest is stored.
 * @param input with its `idempotencyKey`, if given
 * @param make receives the claim to make in its transaction. For a change that cannot be repeated (a deleted object is
 * not found) it throws its error: the key distinguishes a repeated request from a mistake.
 * @param again returns the first result; receives the subject of the claim
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

/** Returns the terms of a change: its expected version, and the claim of its key. */
export const termsOf = ({ version }: { version?: number | null }, claim: Claim | undefined): ChangeTerms => ({
  version: version ?? undefined,
  claim,
});

/**
 * Returns the subject of the first request, if the failure results from its success. Only errors of the change itself
 * qualify; an unauthorized caller always gets the authorization error.
 */
async function madeBefore(
  failure: unknown,
  lookUp: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (failure instanceof Repeated) return failure.resourceId;
  return (authProblem(failure) ?? problemOf(failure)) ? lookUp() : undefined;
}

/** A caller that acts for another one (RFC 8693) has separate keys. The format for other callers stays as it was. */
function callerOf(context: GraphContext<unknown>): string {
  const [kind, subject, clientId, actor] = keyHolder(requirePrincipal(context));
  const caller = [kind, subject, clientId].join('/');
  return actor === undefined ? caller : `${caller}/${actor}`;
}
