import { setTimeout as sleep } from 'node:timers/promises';
import { type Moment, whereIs } from '../moments.ts';
import type { Fault, Pair } from '../plan.ts';
import { instances, type Stage, serviceOf } from '../stage.ts';
import type { RemoteLink } from './links.ts';
import { type Again, Transport } from './queue.ts';

/** Milliseconds that a trap waits before each offboarding that provokes it, and the maximum number of these. */
const trapPatience = { ms: 2_000, times: 8 };
/** Milliseconds for which a killed process stays down. */
const downMs = 300;

/** Returns the name of a fault for logs and the report. */
export function describeFault(fault: Fault): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  switch (fault.kind) {
    case 'kill':
      return `kill -9 of ${whereIs(fault.moment).service} ${fault.moment}`;
    case 'kill at any time':
      return `kill -9 of ${fault.instance}`;
    case 'flush':
      return 'Redis flushed';
    case 'redis away':
      return `Redis away for ${seconds(fault.ms)}`;
    case 'postgres restarted':
      return `PostgreSQL ${fault.signal === 'SIGKILL' ? 'killed and' : ''} restarted`.replace('  ', ' ');
    case 'partition':
      return `${fault.one} cut off from ${fault.other} for ${seconds(fault.ms)}${fault.forget ? ', connections lost' : ''}`;
    case 'partitions':
      return `one after the other for ${seconds(fault.eachMs)}${fault.forget ? ', connections lost' : ''}: ${fault.pairs.map(({ one, other }) => `${one} cut off from ${other}`).join(', ')}`;
    case 'slow':
      return `${fault.delayMs} ms on every way of ${fault.instance} for ${seconds(fault.ms)}`;
    case 'duplicated':
      return `the last ${fault.events} events delivered twice more, newest first`;
    case 'reordered':
      return `events overtake each other for ${seconds(fault.ms)}`;
    case 'hang':
      return `SIGSTOP of ${fault.instance} for ${seconds(fault.ms)}`;
    case 'full queue':
      return `${fault.jobs.toLocaleString('en')} jobs in front, in each queue`;
    case 'skew':
      return `the clock of ${fault.instances.join(', ')} ${fault.offsetMs > 0 ? 'ahead' : 'behind'} by 60 s for ${seconds(fault.ms)}`;
  }
}

/** Result of a fault that is over. */
export interface Strike {
  /** Process that reached the moment of a trap; undefined if none did and another was killed. */
  caught?: string | undefined;
  /** Results of repeated deliveries. */
  again?: readonly Again[];
}

/** Causes faults and undoes them. */
export class Faults {
  readonly #stage: Stage;
  readonly #transport: Transport;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#transport = new Transport(stage);
  }

  /**
   * Resolves when the fault is over: connections are restored and killed processes are started again.
   * @param provoke offboards a user, so that a process reaches the moment
   */
  async strike(fault: Fault, provoke: () => void): Promise<Strike> {
    if (fault.kind === 'kill') return this.#trap(fault.moment, provoke);
    if (fault.kind === 'duplicated') return { again: await this.#transport.deliverAgain(fault.events) };
    if (fault.kind === 'full queue') return { again: await this.#transport.fill(fault.jobs, fault.ms) };
    await this.#happen(fault);
    return {};
  }

  async #happen(fault: Exclude<Fault, { kind: 'kill' | 'duplicated' | 'full queue' }>): Promise<void> {
    const { system } = this.#stage;
    switch (fault.kind) {
      case 'kill at any time':
        await sleep(fault.afterMs);
        return this.#kill(fault.instance);
      case 'flush':
        return this.#transport.flush();
      case 'redis away':
        await system.kill('valkey', 'SIGKILL', { restart: false });
        await sleep(fault.ms);
        return this.#back('valkey');
      case 'postgres restarted':
        if (fault.signal === 'SIGKILL') await system.kill('postgres', 'SIGKILL', { restart: false });
        else await system.stop('postgres');
        await sleep(downMs);
        return this.#back('postgres');
      case 'partition':
        return this.#partition(fault, fault.ms, fault.forget);
      case 'partitions':
        for (const pair of fault.pairs) await this.#partition(pair, fault.eachMs, fault.forget);
        return;
      case 'slow': {
        const ways = this.#waysOf(fault.instance);
        for (const link of ways) link.delay(fault.delayMs);
        await sleep(fault.ms);
        for (const link of ways) link.delay(0);
        return;
      }
      case 'reordered':
        return this.#transport.reorder(fault.ms);
      case 'hang':
        await system.kill(fault.instance, 'SIGSTOP');
        await sleep(fault.ms);
        return system.kill(fault.instance, 'SIGCONT');
      case 'skew':
        for (const instance of fault.instances) await this.#stage.skew(instance, fault.offsetMs);
        await sleep(fault.ms);
        for (const instance of fault.instances) await this.#stage.skew(instance, 0);
        return;
    }
  }

  /** Resumes every process. */
  async calm(): Promise<void> {
    for (const instance of instances) await this.#stage.system.kill(instance, 'SIGCONT');
  }

  async #kill(instance: string): Promise<void> {
    await this.#stage.system.kill(instance, 'SIGKILL', { restart: false });
    await sleep(downMs);
    // The fault lasts until the process is started again.
    await this.#back(instance);
  }

  async #back(name: string): Promise<void> {
    await this.#stage.system.start(name);
  }

  async #partition({ one, other }: Pair, ms: number, forget: boolean): Promise<void> {
    const cut = this.#stage.between(one, other);
    for (const { link, target } of cut) link.cut(target);
    await sleep(ms);
    for (const { link, target } of cut) link.mend(target, forget);
  }

  /** Kills the process of the service that first reaches the moment; after the timeout, kills the first process. */
  async #trap(moment: Moment, provoke: () => void): Promise<Strike> {
    const { service, link: to, pattern, answered, arrives, committed } = whereIs(moment);
    const links = [service, `${service}-2`].flatMap((instance) => this.#stage.links(instance, to));
    const caught = await new Promise<string | undefined>((resolve) => {
      let sent = 0;
      const timer = setInterval(() => {
        if (sent < trapPatience.times) provoke();
        else over(undefined);
        sent += 1;
      }, trapPatience.ms);
      const over = (who: string | undefined) => {
        clearInterval(timer);
        resolve(who);
      };
      for (const link of links) {
        link.trap({
          pattern,
          direction: answered ? 'answered' : 'asked',
          arrives,
          committed,
          snap: () => {
            void this.#stage.system.kill(link.from, 'SIGKILL', { restart: false });
            over(link.from);
          },
        });
      }
    });
    for (const link of links) link.trap(undefined);
    await this.#kill(caught ?? service);
    return { caught };
  }

  #waysOf(instance: string): RemoteLink[] {
    return ['postgres', 'valkey', ...instances].flatMap((other) => [
      ...this.#stage.links(instance, serviceOf(other)),
    ]);
  }
}
