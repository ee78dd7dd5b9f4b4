import { createHash } from 'node:crypto';
import type { ApolloServer, HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { HeaderSink } from '@ostiary/graph';
import { Counter, Gauge, type ServiceKit } from '@ostiary/service';
import type { GraphQLSchema } from 'graphql';
import type { OperationCache } from '../../fast-path/graph/operation-cache.ts';
import type { AskedOperation } from '../../fast-path/index.ts';
import type { GatewayContext } from './context.ts';

/** A server over one supergraph that is not started. */
export interface Candidate {
  server: ApolloServer<GatewayContext>;
  /** Returns the schema for clients, once the server has started. */
  schema: () => GraphQLSchema;
  /** Operations that are answered without the server. */
  known: OperationCache<GatewayContext>;
}

export interface ServedGraphOptions {
  kit: Pick<ServiceKit, 'log' | 'metrics'>;
  build: (supergraphSdl: string) => Candidate;
  /** Returns one sentence for each objection to serving this schema. */
  objections?: (schema: GraphQLSchema) => string[];
}

interface Generation extends Candidate {
  sdl: string;
  digest: string;
  inFlight: number;
  retired: boolean;
}

type SchemaListener = (schema: GraphQLSchema, supergraphSdl: string) => void;

/**
 * The served graph, over a supergraph that can be replaced during requests. A request is executed by the server that
 * was current at its start; a replaced server stops after its last request. A supergraph that cannot be served is
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
      for (const listener of this.#listeners) listener(next.schema(), sdl);
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
    const candidate = this.#options.build(sdl);
    await candidate.server.start();
    const objections = this.#options.objections?.(candidate.schema()) ?? [];
    if (objections.length > 0) {
      // The first one is served nevertheless: without any graph, all clients fail.
      if (this.#current) {
        await candidate.server.stop();
        throw new Error(`The trusted documents do not match the supergraph: ${objections.join('; ')}`);
      }
      this.#options.kit.log.error(
        { event: 'trusted_documents.invalid', objections },
        'Trusted documents do not match the supergraph',
      );
    }
    return { ...candidate, sdl, digest, inFlight: 0, retired: false };
  }

  /** Calls the listener now, when there is a schema, and for each new schema. */
  onSchema(listener: SchemaListener): void {
    this.#listeners.add(listener);
    if (this.#current) listener(this.#current.schema(), this.#current.sdl);
  }

  /** Executes as Apollo Server does, over the newest supergraph. */
  executeOperation: ApolloServer<GatewayContext>['executeOperation'] = (
    ...call: Parameters<ApolloServer<GatewayContext>['executeOperation']>
  ) => this.#within(({ server }) => server.executeOperation(...call)) as never;

  /**
   * Answers on the fast path.
   * @returns undefined where the server has to execute it, with the same context
   */
  answerKnown(
    asked: AskedOperation,
    context: GatewayContext,
    headers: HeaderSink,
  ): Promise<{ data: Record<string, unknown> } | undefined> {
    return this.#within(({ known }) => known.answer(asked, context, headers));
  }

  async executeHTTPGraphQLRequest({
    httpGraphQLRequest,
    context,
  }: {
    httpGraphQLRequest: HTTPGraphQLRequest;
    context: () => Promise<GatewayContext>;
  }): Promise<HTTPGraphQLResponse> {
    return this.#within(({ server }) => server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context }));
  }

  async stop(): Promise<void> {
    await this.#loading;
    await this.#current?.server.stop();
  }

  async #within<T>(work: (generation: Generation) => Promise<T>): Promise<T> {
    const generation = this.#current;
    if (!generation) throw new Error('There is no supergraph to serve.');
    generation.inFlight += 1;
    try {
      return await work(generation);
    } finally {
      generation.inFlight -= 1;
      if (generation.retired && generation.inFlight === 0) this.#end(generation);
    }
  }

  #retire(generation: Generation): void {
    generation.retired = true;
    if (generation.inFlight === 0) this.#end(generation);
  }

  #end(generation: Generation): void {
    generation.server
      .stop()
      .catch((error: unknown) =>
        this.#options.kit.log.warn(
          { event: 'supergraph.stop_failed', err: error },
          'Replaced supergraph could not be stopped',
        ),
      );
  }
}
