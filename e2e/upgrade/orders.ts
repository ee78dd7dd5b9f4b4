import { type ServiceName, serviceNames } from '@ostiary/embedded/system';
import { Random } from '../chaos/random.ts';

export type Order = readonly ServiceName[];

/** All orders in which the services can be replaced. */
export const allOrders: readonly Order[] = permutations(serviceNames);

function permutations(names: readonly ServiceName[]): Order[] {
  if (names.length === 0) return [[]];
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
  );
}

/**
 * Returns a dozen orders that contain every step: each service is replaced after every set of others. Orders that have
 * replaced the same services lead to the same combination of releases.
 */
export function coveringOrders(): Order[] {
  const chosen: Order[] = [];
  const seen = new Set<string>();
  const added = (order: Order) => stepsOf(order).filter((step) => !seen.has(step)).length;
  for (;;) {
    const [best] = allOrders.toSorted((one, other) => added(other) - added(one));
    if (best === undefined || added(best) === 0) return chosen;
    for (const step of stepsOf(best)) seen.add(step);
    chosen.push(best);
  }
}

/** Returns the steps of an order: the replaced services and the next one. */
export const stepsOf = (order: Order): string[] =>
  order.map((service, index) => `${order.slice(0, index).toSorted().join('+')} > ${service}`);

/** Shuffles the orders reproducibly. */
export const shuffled = (orders: readonly Order[], seed: number): Order[] =>
  new Random(seed).fork('orders').shuffled(orders);
