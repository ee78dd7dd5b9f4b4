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

/** A mutation as the schema promises it. */
export interface Change<I extends object> {
  /** Makes the change, and gives its payload. */
  make: (input: I, by: ChangeRequest, context: Context) => Promise<object>;
  /** The payload for a repeat of it, without what is shown only once. */
  again: (connectorId: string, context: Context) => Promise<object>;
}

/** What a connector's change is refused for, as a problem of the graph. */
function connectorProblem(cause: unknown): Problem | undefined {
  if (cause instanceof NoSuchConnector) return notFoundProblem('The connector was not found.');
  if (cause instanceof NoSuchToken) return notFoundProblem('The token was not found.', 'tokenId');
  if (cause instanceof NoSuchOwner) {
    return notFoundProblem(
      'No user or group with this id can own a connector: it must be an active user whose role permits it, or a group with such a member.',
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
 * Mutations that say what is wrong with the input as a part of their payload, and that a caller can repeat under an idempotency
 * key: the key is taken in the transaction of the change.
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
        // What this request has read by now is of before the change.
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
