import { callersOf, whoActs } from '@ostiary/access';
import {
  checkIdempotencyKey,
  type GraphContext,
  idempotencyKeyReused,
  keyHolder,
  notFoundProblem,
  notUnique,
  type Problem,
  payloadOf,
  type Resolver,
  requirePrincipal,
  showProblems,
  type TypeResolvers,
  versionConflict,
} from '@ostiary/graph';
import {
  type ChangeRequest,
  ClientTaken,
  NoSuchConnector,
  NoSuchToken,
  VersionMismatch,
} from '../domain/connector-changes.ts';
import {
  type IdempotencyKeys,
  type KeyClaim,
  type KeyedRequest,
  KeyReused,
  Repeated,
} from '../domain/idempotency.ts';
import { NoSuchOwner } from '../domain/ownership.ts';
import type { ConnectorLoaders } from './loaders.ts';

type Context = GraphContext<ConnectorLoaders>;

/** A mutation with an idempotency key and problems in its payload. */
export interface Change<I extends object> {
  /** Makes the change, and returns its payload. */
  make: (input: I, by: ChangeRequest, context: Context) => Promise<object>;
  /** Returns the payload of a repetition, without values that are shown only once. */
  again: (connectorId: string, context: Context) => Promise<object>;
}

/** Maps an error of the domain to a problem of the graph. */
function connectorProblem(cause: unknown): Problem | undefined {
  if (cause instanceof NoSuchConnector) return notFoundProblem('The connector was not found.');
  if (cause instanceof NoSuchToken) return notFoundProblem('The token was not found.', 'tokenId');
  if (cause instanceof NoSuchOwner) {
    return notFoundProblem(
      'The owner must be an active user whose role allows managing connectors, or a group with such a member.',
      'ownerId',
    );
  }
  if (cause instanceof VersionMismatch) return versionConflict(cause.currentVersion);
  if (cause instanceof ClientTaken) {
    return notUnique('Another connector already belongs to this client.', 'clientId');
  }
  return cause instanceof KeyReused ? idempotencyKeyReused() : undefined;
}

/**
 * Creates mutations that return problems with the input in their payload, and that a caller can repeat under an
 * idempotency key, which is claimed in the transaction of the change.
 */
export function changing<I extends object>(
  keys: IdempotencyKeys,
  changes: Record<string, Change<I>>,
): TypeResolvers<ConnectorLoaders> {
  const resolver =
    (operation: string, change: Change<I>) =>
    async (
      _parent: unknown,
      { input }: { input: I & { idempotencyKey?: string | null } },
      context: Context,
      info: Parameters<Resolver>[3],
    ) => {
      const { idempotencyKey, ...rest } = input;
      const principal = requirePrincipal(context);
      const caller = keyHolder(principal).join('/');
      const payload = await payloadOf(async () => {
        const claim =
          idempotencyKey === undefined || idempotencyKey === null
            ? undefined
            : claimTo(keys, { caller, operation, idempotencyKey, input: rest });
        const by: ChangeRequest = {
          tenant: context.tenant,
          actor: whoActs(principal),
          callers: callersOf(principal),
          clientId: principal.clientId,
          claim,
        };
        // Values that this request has read are from before the change.
        context.loaders.connector.clearAll();
        context.loaders.tokens.clearAll();
        try {
          return { ...(await change.make(rest as I, by, context)), repeated: false };
        } catch (error) {
          if (!(error instanceof Repeated)) throw error;
          return { ...(await change.again(error.resourceId, context)), repeated: true };
        }
      }, connectorProblem);
      return showProblems(payload, info);
    };
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, resolver(name, change)]));
}

/** @throws BAD_USER_INPUT */
function claimTo(keys: IdempotencyKeys, request: KeyedRequest): KeyClaim {
  checkIdempotencyKey(request.idempotencyKey);
  return keys.claim(request);
}
