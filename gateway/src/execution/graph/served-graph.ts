import { createHash } from 'node:crypto';
import { Counter, Gauge, type ServiceKit } from '@ostiary/service';
import type { GraphQLSchema } from 'graphql';
import type { Execution, GraphRequest } from './execution.ts';

export interface ServedGraphOptions {
  kit: ServiceKit;
  /** Returns an execution that is not started. @throws Error when the supergraph cannot be served */
  build: (supergraphSdl: string) => Execution;
  /** Returns one sentence for each objection to serving this schema. */
  objections?: (schema: GraphQLSchema) => string[];
}

interface Generation {
  execution: Execution;
  sdl: string;
  digest: string;
  inFlight: number;
  retired: boolean;
}

type SchemaListener = (schema: GraphQLSchema, supergraphSdl: string) => void;

/**
 * The served graph, over a supergraph that can be replaced during requests. A request is executed over the supergraph
 * that was current at its start; a replaced one stops after its last request. A supergraph that cannot be served is
 * rejected, and the previous one stays.
 */
export class ServedGraph {
  readonly #options: ServedGraphOptions;
  readonly #loads: Counter<'outcome'>;
  readonly #listeners = new Set<SchemaListener>();
  #current: Generation | undefined;
  #loading: Promise<unknown> = Promise.resolve();

  constructor(options: ServedGraphOptions) {
    this.#options = options;
    const registers = [options.kit.metrics];
    this.#loads = new Counter({
      name: 'gateway_supergraph_loads_total',
      help: 'Number of supergraphs checked, by outcome (served, refused)',
      labelNames: ['outcome'] as const,
      registers,
    });
    const served = (): Generation | undefined => this.#current;
    new Gauge({
      name: 'gateway_supergraph_info',
      help: 'Supergraph in use, by the prefix of its SHA-256 digest',
      labelNames: ['digest'] as const,
      registers,
      collect() {
        this.reset();
        const generation = served();
        if (generation) this.set({ digest: generation.digest.slice(0, 12) }, 1);
      },
    });
  }

  /** SHA-256 digest (hex) of the served supergraph. */
  get digest(): string | undefined {
    return this.#current?.digest;
  }

  /**
   * Serves this supergraph from now on. Concurrent calls are executed in sequence.
   * @throws Error with the reason when it cannot be served; the previous one stays
   */
  load(supergraphSdl: string): Promise<void> {
    const loading = this.#loading.then(() => this.#load(supergraphSdl));
    this.#loading = loading.catch(() => undefined);
    return loading;
  }

  async #load(sdl: string): Promise<void> {
    const digest = createHash('sha256').update(sdl).digest('hex');
    if (digest === this.#current?.digest) return;
    const { log } = this.#options.kit;
    try {
      const next = await this.#started(sdl, digest);
      const before = this.#current;
      this.#current = next;
      this.#loads.inc({ outcome: 'served' });
      log.info({ event: 'supergraph.loaded', supergraph: digest.slice(0, 12) }, 'Supergraph loaded');
      if (before) this.#retire(before);
      for (const listener of this.#listeners) listener(next.execution.schema(), sdl);
    } catch (error) {
      this.#loads.inc({ outcome: 'refused' });
      log.error(
        {
          event: 'supergraph.rejected',
          supergraph: digest.slice(0, 12),
          serving: this.#current?.digest.slice(0, 12),
          err: error,
        },
        'Supergraph rejected; the previous one stays in use',
      );
      throw error;
    }
  }

  async #started(sdl: string, digest: string): Promise<Generation> {
    const execution = this.#options.build(sdl);
    await execution.start();
    const objections = this.#options.objections?.(execution.schema()) ?? [];
    if (objections.length > 0) {
      // The first one is served nevertheless: without any graph, all clients fail.
      if (this.#current) {
        await execution.stop();
        throw new Error(`The trusted documents do not match the supergraph: ${objections.join('; ')}`);
      }
      this.#options.kit.log.error(
        { event: 'trusted_documents.invalid', objections },
        'Trusted documents do not match the supergraph',
      );
    }
    return { execution, sdl, digest, inFlight: 0, retired: false };
  }

  /** Calls the listener now, when there is a schema, and for each new schema. */
  onSchema(listener: SchemaListener): void {
    this.#listeners.add(listener);
    if (this.#current) listener(this.#current.execution.schema(), this.#current.sdl);
  }

  /** Executes an operation over the newest supergraph. */
  async execute<R>(request: GraphRequest<R>): Promise<R> {
    const generation = this.#current;
    if (!generation) throw new Error('There is no supergraph to serve.');
    generation.inFlight += 1;
    try {
      return await generation.execution.execute(request);
    } finally {
      generation.inFlight -= 1;
      if (generation.retired && generation.inFlight === 0) this.#end(generation);
    }
  }

  async stop(): Promise<void> {
    await this.#loading;
    await this.#current?.execution.stop();
  }

  #retire(generation: Generation): void {
    generation.retired = true;
    if (generation.inFlight === 0) this.#end(generation);
  }

  #end(generation: Generation): void {
    generation.execution
      .stop()
      .catch((error: unknown) =>
        this.#options.kit.log.warn(
          { event: 'supergraph.stop_failed', err: error },
          'Replaced supergraph could not be stopped',
        ),
      );
  }
}
