import type { GraphContext, TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { accessPathNames, type Departure, type DepartureDelivery } from '../domain/departure-report.ts';
import type { OffboardingLoaders } from './loaders.ts';

type Context = GraphContext<OffboardingLoaders>;

/** Returns the enum value of a name in the graph, such as `REFRESH_TOKENS`. */
const enumName = (name: string): string =>
  name.replace(/[A-Z.]/g, (one) => `_${one.replace('.', '')}`).toUpperCase();

/**
 * Access paths that are not counted: they contain the epoch of their issue or depend on the status of the user, and are
 * not stored per user.
 */
const uncounted = [
  'ACCESS_TOKENS',
  'EXCHANGED_TOKENS',
  'AUTHORIZATION_CODES',
  'DEVICE_CODES',
  'SUBSCRIPTIONS',
  'SIGN_IN',
] as const;

const departures = (id: string, { loaders }: Context): Promise<Departure[]> | never[] =>
  isUuid(id) ? loaders.departures.load(id.toLowerCase()) : [];

export const offboardingResolvers: {
  User: TypeResolvers<OffboardingLoaders>;
  Departure: TypeResolvers<OffboardingLoaders>;
  DepartureDelivery: TypeResolvers<OffboardingLoaders>;
  Query: TypeResolvers<OffboardingLoaders>;
} = {
  User: {
    departures: ({ id }: { id: string }, _args: object, context: Context) => departures(id, context),
  },
  Departure: {
    securityEventId: ({ id }: Departure) => id,
    userId: ({ subjectId }: Departure) => subjectId,
    trigger: ({ trigger }: Departure) => enumName(trigger),
    doors: ({ accessPaths, closedAt, connectors }: Departure) => [
      ...accessPathNames.map((name) => ({ name: enumName(name), count: accessPaths[name], closedAt })),
      ...(connectors ? [{ name: 'CONNECTORS', ...connectors }] : []),
      ...uncounted.map((name) => ({ name, count: null, closedAt })),
    ],
    deliveries: ({ id }: Departure, _args: object, { loaders }: Context) =>
      loaders.offboardingDeliveries.load(id),
  },
  DepartureDelivery: {
    deliveryId: ({ id }: DepartureDelivery) => id,
    deliveredAt: ({ state, finishedAt }: DepartureDelivery) => (state === 'delivered' ? finishedAt : null),
  },
  Query: {
    departures: (_parent: unknown, { userId }: { userId: string }, context: Context) =>
      departures(userId, context),
  },
};
