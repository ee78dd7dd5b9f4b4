import { Counter, currentRequestId, type ServiceKit } from '@ostiary/service';
import { type ServiceName, serviceNames, type Upstreams } from '../../upstreams/index.ts';
import { SubgraphSource } from './subgraph-source.ts';

export interface SubgraphSourcesOptions {
  kit: Pick<ServiceKit, 'log' | 'metrics' | 'neighbours'>;
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
  readonly #options: SubgraphSourcesOptions;
  readonly #failures: Counter<'subgraph'>;

  constructor(options: SubgraphSourcesOptions) {
    this.#options = options;
    this.#failures = new Counter({
      name: 'gateway_subgraph_failures_total',
      help: 'Number of subgraph requests without a usable response',
      labelNames: ['subgraph'] as const,
      registers: [options.kit.metrics],
    });
  }

  /** @throws Error when there is no such subgraph */
  of(name: string): SubgraphSource {
    if (!isServiceName(name)) throw new Error(`The supergraph names an unknown subgraph: ${name}`);
    const { upstreams, timeoutMs, answerLimit, voucherFor, kit } = this.#options;
    return new SubgraphSource(upstreams[name], {
      timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : timeoutMs[name],
      ...(answerLimit === undefined ? {} : { answerLimit }),
      ...(voucherFor ? { voucher: voucherFor(name) } : {}),
      neighbours: kit.neighbours,
      onUnavailable: (subgraph, cause) => {
        this.#failures.inc({ subgraph });
        kit.log.warn(
          { event: 'subgraph.unavailable', requestId: currentRequestId(), subgraph, err: cause },
          'Subgraph unavailable',
        );
      },
    });
  }
}

const isServiceName = (name: string): name is ServiceName =>
  (serviceNames as readonly string[]).includes(name);
