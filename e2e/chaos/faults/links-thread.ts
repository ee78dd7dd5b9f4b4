/** Runs every link in its own thread, so that the requests of the test do not delay the traffic of the system. */
import { parentPort } from 'node:worker_threads';
import { Link, type Target, type Trap } from './link.ts';

/** Message to the thread. */
export type Order =
  | { kind: 'link'; link: number; from: string; to: string }
  | { kind: 'ports'; ports: ReadonlyMap<string, number> }
  | { kind: 'down'; down: ReadonlySet<string> }
  | { kind: 'cut'; link: number; target: string }
  | { kind: 'mend'; link: number; target: string; forget: boolean }
  | { kind: 'delay'; link: number; ms: number }
  | { kind: 'trap'; link: number; trap: Omit<Trap, 'snap'> | undefined };

/** Message from the thread: a link listens, or its trap has triggered. */
export type Notice = { kind: 'listens'; link: number; port: number } | { kind: 'snapped'; link: number };

const links = new Map<number, Link>();
let ports: ReadonlyMap<string, number> = new Map();
let down: ReadonlySet<string> = new Set();

const say = (notice: Notice) => parentPort?.postMessage(notice);

/** Returns a database, or both processes of a service. */
const targetsOf = (to: string): Target[] =>
  [to, `${to}-2`].flatMap((name) => {
    const port = ports.get(name);
    return port === undefined ? [] : [{ name, port }];
  });

parentPort?.on('message', async (order: Order) => {
  if (order.kind === 'ports') {
    ports = order.ports;
    return;
  }
  if (order.kind === 'down') {
    down = order.down;
    return;
  }
  if (order.kind === 'link') {
    const { from, to, link: number } = order;
    const made = new Link({ from, to, targets: () => targetsOf(to), isUp: (name) => !down.has(name) });
    links.set(number, made);
    return say({ kind: 'listens', link: number, port: await made.listen() });
  }
  const link = links.get(order.link);
  if (order.kind === 'cut') link?.cut(order.target);
  if (order.kind === 'mend') link?.mend(order.target, order.forget);
  if (order.kind === 'delay') link?.delay(order.ms);
  if (order.kind === 'trap') link?.trap(order.trap && { ...order.trap, snap: () => snapped(order.link) });
});

/** Removes the traps of the other links before a second process reaches the moment. */
function snapped(link: number): void {
  for (const [number, other] of links) if (number !== link) other.trap(undefined);
  say({ kind: 'snapped', link });
}
