import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Process behind a balancer. */
export interface Endpoint {
  name: string;
  port: number;
}

/** `timeoutSeconds` and `failureThreshold` of the probes in k8s/: one slow probe does not remove a process. */
const probeTimeoutMs = 3_000;
const failureThreshold = 2;

/**
 * Kubernetes Service in front of the processes of one kind. It chooses a process per connection, among those whose last
 * readiness probe succeeded, and does not intervene afterwards. It does not retry: a connection to an ended process is
 * reset.
 */
export class Balancer {
  readonly #server: Server;
  readonly #probing: NodeJS.Timeout;
  readonly #ready = new Set<string>();
  /** Consecutive failed probes. */
  readonly #failures = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  readonly #onReady: (names: readonly string[]) => void;
  #endpoints: readonly Endpoint[] = [];
  #turn = 0;

  /**
   * @param probeEveryMs `periodSeconds` of the readiness probe in ms
   * @param onReady receives the ready processes at each change
   */
  constructor(probeEveryMs: number, onReady: (names: readonly string[]) => void) {
    this.#onReady = onReady;
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#accept(socket));
    this.#probing = setInterval(() => void this.#probe(), probeEveryMs);
  }

  /** Listens on loopback. @returns the port */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  set endpoints(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
    for (const name of this.#ready) if (!endpoints.some((one) => one.name === name)) this.#mark(name, false);
    void this.#probe();
  }

  close(): void {
    clearInterval(this.#probing);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #probe(): Promise<void> {
    const endpoints = this.#endpoints;
    await Promise.all(
      endpoints.map(async ({ name, port }) => {
        const isReady = await answersReady(port);
        const failures = isReady ? 0 : (this.#failures.get(name) ?? 0) + 1;
        this.#failures.set(name, failures);
        if (this.#endpoints !== endpoints) return;
        if (isReady) this.#mark(name, true);
        else if (failures >= failureThreshold) this.#mark(name, false);
      }),
    );
  }

  #mark(name: string, isReady: boolean): void {
    if (this.#ready.has(name) === isReady) return;
    if (isReady) this.#ready.add(name);
    else this.#ready.delete(name);
    this.#onReady([...this.#ready]);
  }

  #accept(from: Socket): void {
    const ready = this.#endpoints.filter(({ name }) => this.#ready.has(name));
    this.#turn += 1;
    const target = ready[this.#turn % Math.max(1, ready.length)];
    from.on('error', () => undefined);
    // Like kube-proxy for a Service without endpoints.
    if (target === undefined) return void from.resetAndDestroy();
    const to = connect({ host: '127.0.0.1', port: target.port, noDelay: true, allowHalfOpen: true });
    to.on('error', () => void from.resetAndDestroy());
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(one);
      one.on('close', (isBroken) => {
        this.#sockets.delete(one);
        if (isBroken) other.resetAndDestroy();
        else other.end();
      });
      one.pipe(other);
    }
  }
}

/** Probes on a new connection, like the kubelet. */
function answersReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({
      host: '127.0.0.1',
      port,
      path: '/readyz',
      timeout: probeTimeoutMs,
      agent: false,
    });
    probe.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.once('close', () => resolve(false));
    probe.end();
  });
}
