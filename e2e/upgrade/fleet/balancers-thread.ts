/** Thread of the balancers, so that requests between processes do not wait for the busy main thread. */
import { parentPort } from 'node:worker_threads';
import { Balancer, type Endpoint } from './balancer.ts';

/** Message to the thread. */
export type Order =
  | { kind: 'balance'; service: string; probeEveryMs: number }
  | { kind: 'endpoints'; service: string; endpoints: readonly Endpoint[] };

/** Message from the thread: a balancer listens, or its set of ready processes has changed. */
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
