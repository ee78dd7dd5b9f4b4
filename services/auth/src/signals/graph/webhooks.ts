import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  requireConferrable,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { type OnceDependencies, once, termsOf } from '../../platform/subgraph/graph/idempotency.ts';
import { type FactType, factTypes, readingScopeOf } from '../../tenancy/index.ts';
import type { Receiver, ReceiverStatus } from '../domain/delivery.ts';
import type { Webhooks } from '../domain/webhooks.ts';

type Context = GraphContext<unknown>;
type Input<T> = { input: T & { version?: number | null; idempotencyKey?: string | null } };

interface CreateInput {
  name: string;
  endpoint: string;
  types: readonly FactType[];
}

interface UpdateInput {
  id: string;
  name?: string | null;
  endpoint?: string | null;
  types?: readonly FactType[] | null;
  status?: ReceiverStatus | null;
}

/** `user.doors_closed` → `USER_DOORS_CLOSED` */
const enumName = (type: FactType): string => type.replace('.', '_').toUpperCase();

/** Event types by their names in the graph. */
export const eventTypes = Object.fromEntries(factTypes.map((type) => [enumName(type), type]));

const mayTell =
  (context: Context) =>
  (types: readonly FactType[]): void =>
    requireConferrable(requirePrincipal(context), types.map(readingScopeOf));

export interface WebhookDependencies extends OnceDependencies {
  webhooks: Webhooks;
}

/** Resolvers of webhooks (Standard Webhooks). */
export function webhookResolvers(deps: WebhookDependencies): {
  WebhookEventType: Record<string, string>;
  ReceiverStatus: Record<string, ReceiverStatus>;
  Webhook: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
} {
  const { webhooks } = deps;
  const found = finding(deps);
  return {
    WebhookEventType: eventTypes,
    ReceiverStatus: { ENABLED: 'enabled', PAUSED: 'paused', DISABLED: 'disabled' },
    Webhook: {
      __resolveReference: ({ id }: { id: string }, { tenant }: Context) => found(tenant, id),
      types: ({ factTypes: types }: Receiver) => types,
    },
    Query: {
      webhooks: (_parent: unknown, args: PagingArguments, { tenant }: Context) =>
        countedPageById(args, {
          kind: 'webhook',
          rows: (page) => webhooks.list(tenant, page),
          total: () => webhooks.count(tenant),
        }),
      webhook: (_parent: unknown, { id }: { id: string }, { tenant }: Context) => found(tenant, id),
    },
    Mutation: { ...subscriptionMutations(deps), ...deliveryMutations(deps) },
  };
}

/** Resolvers that create, change and delete webhooks. */
function subscriptionMutations(deps: WebhookDependencies): TypeResolvers<unknown> {
  const { webhooks } = deps;
  const found = finding(deps);
  return {
    async createWebhook(_parent: unknown, { input }: Input<CreateInput>, context: Context) {
      const { tenant } = context;
      const { name, endpoint, types } = input;
      return once(
        deps,
        context,
        'createWebhook',
        input,
        (claim) => webhooks.create(tenant, { name, endpoint, factTypes: types }, claim),
        async (id) => ({ webhook: await found(tenant, id) }),
      );
    },
    updateWebhook(_parent: unknown, { input }: Input<UpdateInput>, context: Context) {
      const { tenant } = context;
      const patch = {
        name: input.name ?? undefined,
        endpoint: input.endpoint ?? undefined,
        factTypes: input.types ?? undefined,
        status: input.status ?? undefined,
      };
      return once(
        deps,
        context,
        'updateWebhook',
        input,
        async (claim) => {
          const terms = { ...termsOf(input, claim), mayTell: mayTell(context) };
          const webhook = await webhooks.update(tenant, input.id, patch, terms);
          if (!webhook) throw notFound('The webhook');
          return { webhook };
        },
        async (id) => ({ webhook: await found(tenant, id) }),
      );
    },
    deleteWebhook(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      return once(
        deps,
        context,
        'deleteWebhook',
        input,
        async (claim) => {
          if (!(await webhooks.remove(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The webhook');
          return { id: input.id };
        },
        () => ({ id: input.id }),
      );
    },
  };
}

/** Resolvers that rotate secrets and send test messages. */
function deliveryMutations(deps: WebhookDependencies): TypeResolvers<unknown> {
  const { webhooks } = deps;
  const found = finding(deps);
  return {
    rotateWebhookSecret(
      _parent: unknown,
      { input }: Input<{ id: string; overlapSeconds?: number | null }>,
      context: Context,
    ) {
      const { tenant } = context;
      return once(
        deps,
        context,
        'rotateWebhookSecret',
        input,
        async (claim) => {
          const overlap = input.overlapSeconds ?? undefined;
          const rotated = await webhooks.rotateSecret(tenant, input.id, overlap, termsOf(input, claim));
          if (!rotated) throw notFound('The webhook');
          return rotated;
        },
        async (id) => ({ webhook: await found(tenant, id) }),
      );
    },
    testWebhook(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      const { tenant } = context;
      return once(
        deps,
        context,
        'testWebhook',
        input,
        async (claim) => {
          const sent = await webhooks.test(tenant, input.id, termsOf(input, claim));
          if (!sent) throw notFound('The webhook');
          return sent;
        },
        async (deliveryId) => ({ webhook: await found(tenant, input.id), deliveryId }),
      );
    },
  };
}

const finding =
  ({ webhooks }: WebhookDependencies) =>
  async (tenant: string, id: string): Promise<Receiver | null> =>
    (await webhooks.find(tenant, id)) ?? null;
