import { Counter, currentRequestId, type ServiceKit } from '@ostiary/service';
import { type ServiceName, serviceNames, type Upstreams } from '../../upstreams/index.ts';
import { SubgraphSource } from './subgraph-source.ts';

export interface SubgraphSourcesOptions {
  kit: ServiceKit;
  upstreams: Upstreams;
  /** Timeout in milliseconds of all subgraphs, or of each. */
  timeoutMs: number | Readonly<Record<ServiceName, number>>;
  /** Maximum size of a subgraph response in bytes. */
  answerLimit?: number | undefined;
  /** Tokens of this process for the services, with which it vouches for verified proofs of possession. */
  voucherFor?: ((service: ServiceName) => () => Promise<string>) | undefined;
}

/** The subgraphs by their name in the supergraph. */
export class SubgraphSources {
  readonly #sources: ReadonlyMap<string, SubgraphSource>;

  constructor({ kit, upstreams, timeoutMs, answerLimit, voucherFor }: SubgraphSourcesOptions) {
    const failures = new Counter({
      name: 'gateway_subgraph_failures_total',
      help: 'Number of subgraph requests without a usable response',
      labelNames: ['subgraph'] as const,
      registers: [kit.metrics],
    });
    const sourceOf = (name: ServiceName): SubgraphSource =>
      new SubgraphSource(upstreams[name], {
        timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : timeoutMs[name],
        ...(answerLimit === undefined ? {} : { answerLimit }),
        ...(voucherFor ? { voucher: voucherFor(name) } : {}),
        neighbours: kit.neighbours,
        onUnavailable: (subgraph, cause) => {
          failures.inc({ subgraph });
          kit.log.warn(
            { event: 'subgraph.unavailable', requestId: currentRequestId(), subgraph, err: cause },
            'Subgraph unavailable',
          );
        },
      });
    this.#sources = new Map(serviceNames.map((name) => [name, sourceOf(name)]));
  }

  /** @throws Error when there is no such subgraph */
  of(name: string): SubgraphSource {
    const source = this.#sources.get(name);
    if (!source) throw new Error(`The supergraph names an unknown subgraph: ${name}`);
    return source;
  }
}
