import {
  boundedPageById,
  conflict,
  type GraphContext,
  notFound,
  type PagingArguments,
  type TypeResolvers,
} from '@ostiary/graph';
import { filterOf, type Given } from '../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once } from '../../platform/subgraph/graph/idempotency.ts';
import type { ReceiverKind, SubjectKind } from '../../tenancy/index.ts';
import { type Deliveries, DeliveryConflict } from '../domain/deliveries.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import type { DeliveryFilter, DeliverySummary } from '../domain/delivery-store.ts';

type Context = GraphContext<unknown>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };

export interface DeliveryDependencies extends OnceDependencies {
  deliveries: Deliveries;
}

/** Resolvers of deliveries to receivers. */
export function deliveryResolvers(deps: DeliveryDependencies): {
  ReceiverKind: Record<string, ReceiverKind>;
  DeliveryState: Record<string, DeliveryState>;
  DeliverySubject: Record<string, SubjectKind>;
  Delivery: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
} {
  const { deliveries } = deps;
  return {
    ReceiverKind: { WEBHOOK: 'webhook', SSF: 'ssf', BACKCHANNEL_LOGOUT: 'backchannel_logout' },
    DeliverySubject: { USER: 'user', GROUP: 'group', CLIENT: 'client', TENANT: 'tenant' },
    DeliveryState: { HELD: 'held', PENDING: 'pending', DELIVERED: 'delivered', DEAD: 'dead' },
    Delivery: {
      __resolveReference: async ({ id }: { id: string }, { tenant }: Context) =>
        (await deliveries.find(tenant, id)) ?? null,
      user: ({ subjectKind, subjectId }: DeliverySummary) =>
        subjectKind === 'user' ? { id: subjectId } : null,
    },
    Query: {
      deliveries(
        _parent: unknown,
        { filter, ...args }: PagingArguments & { filter?: Given<DeliveryFilter> | null },
        { tenant }: Context,
      ) {
        const wanted = filterOf<DeliveryFilter>(filter);
        return boundedPageById(args, {
          kind: 'delivery',
          rows: (page) => deliveries.list(tenant, wanted, page),
          count: () => deliveries.count(tenant, wanted),
        });
      },
      delivery: async (_parent: unknown, { id }: { id: string }, { tenant }: Context) =>
        (await deliveries.find(tenant, id)) ?? null,
    },
    Mutation: deliveryMutations(deps),
  };
}

/** Resolvers that replay and discard deliveries. */
function deliveryMutations(deps: DeliveryDependencies): TypeResolvers<unknown> {
  const { deliveries } = deps;
  return {
    replayDelivery(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      const { tenant } = context;
      return once(
        deps,
        context,
        'replayDelivery',
        input,
        async (claim) => {
          const delivery = await fitting(() => deliveries.replay(tenant, input.id, claim));
          if (!delivery) throw notFound('The delivery');
          return { delivery };
        },
        async (id) => ({ delivery: (await deliveries.find(tenant, id)) ?? null }),
      );
    },
    replayDeadDeliveries(
      _parent: unknown,
      { input }: Input<{ receiverId: string; since?: Date | null }>,
      context: Context,
    ) {
      const { receiverId, since } = input;
      return once(
        deps,
        context,
        'replayDeadDeliveries',
        input,
        async (claim) => {
          const replayed = await fitting(() =>
            deliveries.replayDead(context.tenant, receiverId, since ?? undefined, claim),
          );
          if (replayed === undefined) throw notFound('The receiver');
          return { replayed };
        },
        (count) => ({ replayed: Number(count) }),
      );
    },
    discardDelivery(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      return once(
        deps,
        context,
        'discardDelivery',
        input,
        async (claim) => {
          if (!(await fitting(() => deliveries.discard(context.tenant, input.id, claim))))
            throw notFound('The delivery');
          return { id: input.id };
        },
        () => ({ id: input.id }),
      );
    },
  };
}

async function fitting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeliveryConflict) throw conflict(error.message);
    throw error;
  }
}
