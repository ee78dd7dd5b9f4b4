import {
  badUserInput,
  connectionOf,
  encodeCursor,
  type GraphContext,
  notFound,
  type PagingArguments,
  pagingOf,
  positionOf,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { type OnceDependencies, once, termsOf } from '../../platform/subgraph/graph/idempotency.ts';
import {
  eventsDelivered,
  pushMethod,
  type Stream,
  type StreamStatus,
} from '../domain/stream-configuration.ts';
import type { SignalStreams } from '../domain/streams.ts';

type Context = GraphContext<unknown>;
type Input<T> = { input: T & { version?: number | null; idempotencyKey?: string | null } };

const cursorKind = 'signal stream';
const maxReasonLength = 500;
const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

export interface SignalStreamDependencies extends OnceDependencies {
  signalStreams: SignalStreams;
  clients: { find(tenant: string, clientId: string): Promise<object | null> };
}

/** Resolvers of a tenant's signal streams, for administrators. */
export function signalStreamResolvers(deps: SignalStreamDependencies): {
  SignalDelivery: Record<string, string>;
  SignalStream: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
} {
  const streams = deps.signalStreams;
  const found = async (tenant: string, id: string): Promise<Stream | null> =>
    (await streams.one(tenant, id)) ?? null;
  return {
    SignalDelivery: { PUSH: 'push', POLL: 'poll' },
    SignalStream: {
      __resolveReference: ({ id }: { id: string }, { tenant }: Context) => found(tenant, id),
      client: ({ tenant, clientId }: Stream) => deps.clients.find(tenant, clientId),
      delivery: ({ method }: Stream) => (method === pushMethod ? 'push' : 'poll'),
      endpoint: ({ endpointUrl }: Stream) => endpointUrl,
      events: ({ eventsRequested }: Stream) => eventsDelivered(eventsRequested),
      statusReason: ({ reason }: Stream) => reason,
    },
    Query: {
      async signalStreams(_parent: unknown, args: PagingArguments, { tenant }: Context) {
        const paging = pagingOf(args);
        const rows = await streams.ofTenant(tenant, {
          limit: paging.limit + 1,
          direction: paging.direction,
          position: positionOf(paging, cursorKind, isId),
        });
        return {
          totalCount: () => streams.count(tenant),
          ...connectionOf(rows, paging, (row) => encodeCursor(cursorKind, row.id)),
        };
      },
      signalStream: (_parent: unknown, { id }: { id: string }, { tenant }: Context) => found(tenant, id),
    },
    Mutation: streamMutations(deps),
  };
}

function streamMutations(deps: SignalStreamDependencies): TypeResolvers<unknown> {
  const streams = deps.signalStreams;
  const found = async (tenant: string, id: string): Promise<Stream | null> =>
    (await streams.one(tenant, id)) ?? null;
  return {
    async updateSignalStream(
      _parent: unknown,
      { input }: Input<{ id: string; status: StreamStatus; reason?: string | null }>,
      context: Context,
    ) {
      const { tenant } = context;
      const reason = input.reason ?? undefined;
      if (reason !== undefined && reason.length > maxReasonLength) {
        throw badUserInput(`A reason must have at most ${maxReasonLength} characters.`, {
          argument: 'reason',
        });
      }
      if (reason?.includes('\u0000') || reason?.isWellFormed() === false) {
        throw badUserInput('A reason must not contain NUL.', { argument: 'reason' });
      }
      return once(
        deps,
        context,
        'updateSignalStream',
        input,
        async (claim) => {
          const change = { status: input.status, reason };
          const signalStream = await streams.decideStatus(tenant, input.id, change, termsOf(input, claim));
          if (!signalStream) throw notFound('The stream');
          return { signalStream };
        },
        async (id) => ({ signalStream: await found(tenant, id) }),
      );
    },
    deleteSignalStream(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      return once(
        deps,
        context,
        'deleteSignalStream',
        input,
        async (claim) => {
          if (!(await streams.remove(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The stream');
          return { id: input.id };
        },
        () => ({ id: input.id }),
      );
    },
  };
}
