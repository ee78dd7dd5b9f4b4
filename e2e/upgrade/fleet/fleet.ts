import { type ServiceName, type System, serviceNames } from '@ostiary/embedded/system';
import type { Demo } from '../../support/demo.ts';
import { endOwn, type Prepared, type StartedSystem, startOwn } from '../../support/systems/start-own.ts';
import { Balancers } from './balancers.ts';

/** Interval of the readiness probes in ms. */
const probeEveryMs = 300;
/** Seconds for which a stopping process continues to respond; see `keepAliveMs` in libs/service. */
const drainSeconds = 2;

const neighbours = ['AUTH_URL', 'DIRECTORY_URL', 'PROVISIONING_URL'] as const;

interface Instance {
  /** Name of the process in the system. */
  name: string;
  service: ServiceName;
  port: number;
}

export interface FleetOptions {
  prepared: Prepared;
  env?: Record<string, string>;
  /** Folder of the initial release; undefined: this one. */
  root?: string | undefined;
  /** Changes the environment of each process of a service. */
  adjust?: (service: ServiceName, env: Record<string, string>) => Record<string, string>;
}

/** Two processes of each service behind a balancer, which clients and other services use. */
export class Fleet {
  readonly #balancers: Balancers;
  readonly #started: StartedSystem;
  readonly #instances: readonly Instance[];

  private constructor(o: {
    balancers: Balancers;
    started: StartedSystem;
    instances: readonly Instance[];
  }) {
    this.#balancers = o.balancers;
    this.#started = o.started;
    this.#instances = o.instances;
  }

  static async start({ prepared, env, root, adjust: own }: FleetOptions): Promise<Fleet> {
    const balancers = new Balancers();
    const ports = new Map<string, number>();
    for (const service of serviceNames) ports.set(service, await balancers.balance(service, probeEveryMs));
    const instances: Instance[] = [];
    const adjust = (name: string, given: Record<string, string>): Record<string, string> => {
      const service = serviceNames.find((one) => name === one || name.startsWith(`${one}-`)) as ServiceName;
      instances.push({ name, service, port: Number(given.PORT) });
      balancers.endpoints(
        service,
        instances.filter((one) => one.service === service),
      );
      const adjusted: Record<string, string> = { ...given, DRAIN_SECONDS: String(drainSeconds) };
      for (const variable of neighbours) {
        if (given[variable] === undefined) continue;
        const neighbour = variable.slice(0, -'_URL'.length).toLowerCase();
        adjusted[variable] = `http://127.0.0.1:${ports.get(neighbour)}`;
      }
      return own?.(service, adjusted) ?? adjusted;
    };
    try {
      const started = await startOwn(prepared, {
        adjust,
        publicOrigin: `http://localhost:${ports.get('gateway')}`,
        ...(env && { env }),
        ...(root !== undefined && { root }),
      });
      await Promise.all(serviceNames.map((service) => started.system.spawnExtra(service)));
      await Promise.all(instances.map(({ service, name }) => balancers.sees(service, name, true)));
      return new Fleet({ balancers, started, instances });
    } catch (error) {
      await balancers.close();
      throw error;
    }
  }

  get demo(): Demo {
    return this.#started.demo;
  }

  get system(): System {
    return this.#started.system;
  }

  /** Addresses of the processes, without the balancers. */
  get urls(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#instances.map(({ name, port }) => [name, `http://127.0.0.1:${port}`]));
  }

  /** Names of the processes, grouped by service. */
  get names(): readonly string[] {
    return serviceNames.flatMap((service) => this.of(service));
  }

  of(service: ServiceName): string[] {
    return this.#instances.filter((one) => one.service === service).map(({ name }) => name);
  }

  /** Returns the processes that are not ready. */
  async unready(): Promise<string[]> {
    const states = await Promise.all(
      this.#instances.map(async ({ name, port }) => {
        const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
        return status === 200 ? [] : [name];
      }),
    );
    return states.flat();
  }

  async stop(): Promise<void> {
    await endOwn(this.#started);
    await this.#balancers.close();
  }

  /**
   * Stops a process and starts another in its place. In the meantime the second process of the service responds alone.
   * @param root folder of the release of the new process
   */
  async replace(name: string, root?: string): Promise<void> {
    const { service } = this.#instances.find((one) => one.name === name) as Instance;
    await this.system.stop(name);
    await this.#balancers.sees(service, name, false);
    await this.system.restart(name, root === undefined ? {} : { root });
    await this.#balancers.sees(service, name, true);
  }
}
