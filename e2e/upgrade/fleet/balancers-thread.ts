/** The thread in which the balancers are: what processes say to each other must not wait for the test, which is busy asking. */
import { parentPort } from 'node:worker_threads';
import { Balancer, type Endpoint } from './balancer.ts';

/** What the thread is told. */
export type Order =
  | { kind: 'balance'; service: string; probeEveryMs: number }
  | { kind: 'endpoints'; service: string; endpoints: readonly Endpoint[] };

/** What it says: that a balancer listens, and to whom it sends something from now on. */
export type Notice =
  | { kind: 'listens'; service: string; port: number }
  | { kind: 'ready'; service: string; names: readonly string[] };

const say = (notice: Notice) => parentPort?.postMessage(notice);
const balancers = new Map<string, Balancer>();

parentPort?.on('message', async (order: Order) => {
  if (order.kind === 'balance') {
    const { service, probeEveryMs } = order;
    const balancer = new Balancer(probeEveryMs, (names) => say({ kind: 'ready', service, names }));
    balancers.set(service, balancer);
    say({ kind: 'listens', service, port: await balancer.listen() });
    return;
  }
  const balancer = balancers.get(order.service);
  if (balancer !== undefined) balancer.endpoints = order.endpoints;
});
