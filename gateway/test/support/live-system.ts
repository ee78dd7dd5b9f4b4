import { randomUUID } from 'node:crypto';
import { Issuer, publicOrigin } from '@ostiary/access/testing';
import { type LiveEvent, markLiveStart, publishLive } from '@ostiary/events/live';
import { createKit, createRedis, type Redis, redisReady, type ServiceKit, uuidv7 } from '@ostiary/service';
import { eventually, testNeighbours, testStreamSignatures } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { createGateway } from '../../src/app.ts';
import type { GraphGuards } from '../../src/composition/guards.ts';
import { CrossOrigin } from '../../src/cors/cross-origin.http.ts';
import { noWebOrigins, type WebOrigins } from '../../src/cors/web-origins.ts';
import type { ServedGraph } from '../../src/execution/graph/served-graph.ts';
import { LiveFeed } from '../../src/subscriptions/event-feed.jobs.ts';
import { Live, type LiveOptions } from '../../src/subscriptions/graph/live.ts';
import { type Directory, LiveSubgraphs, supergraph } from './live-subgraphs.ts';

export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

export interface Gateway {
  app: FastifyInstance;
  live: Live;
  kit: ServiceKit;
  url: string;
  close(): Promise<void>;
}

export interface LiveGatewayOptions extends Partial<LiveOptions> {
  port?: number;
  /** Redis from which it reads events, default that of the system. */
  redisUrl?: string;
  /** False: returns before the gateway reads events. */
  events?: boolean;
  guards?: GraphGuards;
  webOrigins?: WebOrigins;
  trustedProxies?: readonly string[];
  onGraph?: (graph: ServedGraph) => void;
}

/** Subgraphs over HTTP, a Redis, and any number of gateways. */
export class LiveSystem {
  readonly issuer: Issuer;
  readonly prefix: string;
  readonly redis: Redis;
  readonly directory: Directory;
  readonly #subgraphs: LiveSubgraphs;
  readonly #redisUrl: string;
  readonly #supergraphSdl = supergraph();
  /** Newest first. */
  readonly #gateways: Gateway[] = [];

  private constructor(
    parts: Pick<LiveSystem, 'issuer' | 'prefix' | 'redis' | 'directory'>,
    subgraphs: LiveSubgraphs,
    url: string,
  ) {
    this.issuer = parts.issuer;
    this.prefix = parts.prefix;
    this.redis = parts.redis;
    this.directory = parts.directory;
    this.#subgraphs = subgraphs;
    this.#redisUrl = url;
  }

  static async start(url = redisUrl): Promise<LiveSystem> {
    const issuer = await new Issuer();
    const directory: Directory = { asked: 0, held: undefined };
    const prefix = `live-${randomUUID()}`;
    const redis = createRedis(url, {
      name: 'test',
      log: createKit({ name: 'test', logLevel: 'silent' }).log,
    });
    await redisReady(redis);
    // As every service that writes to the stream.
    await markLiveStart(redis, prefix, 'test');
    const subgraphs = await LiveSubgraphs.start(issuer, directory);
    return new LiveSystem({ issuer, prefix, redis, directory }, subgraphs, url);
  }

  /** Starts a gateway that reads events. */
  async gateway(options: LiveGatewayOptions = {}): Promise<Gateway> {
    const {
      port = 0,
      events = true,
      guards,
      webOrigins = noWebOrigins,
      trustedProxies,
      onGraph,
      redisUrl: feedUrl,
      ...more
    } = options;
    const crossOrigin = new CrossOrigin({ publicOrigin, webOrigins });
    const kit = createKit({
      name: 'gateway',
      logLevel: process.env.TEST_LOG ?? 'silent',
      neighbours: testNeighbours,
    });
    const live = this.#live({ kit, crossOrigin, feedUrl, more });
    const app = await createGateway({
      kit,
      verifier: this.issuer.verifier,
      publicOrigin,
      origins: this.#subgraphs.origins,
      supergraphSdl: this.#supergraphSdl,
      introspection: false,
      scimBodyLimit: 1_048_576,
      subgraphTimeoutMs: 15_000,
      live,
      crossOrigin,
      ...(trustedProxies ? { trustedProxies } : {}),
      ...(guards ? { guards } : {}),
      ...(onGraph ? { onGraph } : {}),
    });
    const url = await app.listen({ host: '127.0.0.1', port });
    await eventually(async () => !events || (await readsEvents(url)));
    let open = true;
    const close = async (): Promise<void> => {
      if (open) await app.close();
      open = false;
    };
    const gateway = { app, live, kit, url, close };
    this.#gateways.unshift(gateway);
    return gateway;
  }

  /** Publishes an event like a service. */
  async publish(event: Partial<LiveEvent> & Pick<LiveEvent, 'type'>): Promise<LiveEvent> {
    const complete: LiveEvent = {
      id: uuidv7(),
      tenant: 'demo',
      subject: 'alice',
      version: 1,
      occurredAt: new Date().toISOString(),
      ...event,
    };
    const { redis, prefix } = this;
    await publishLive(redis, { prefix, signatures: testStreamSignatures }, [complete]);
    return complete;
  }

  async close(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.close();
    await this.#subgraphs.close();
    this.redis.disconnect();
  }

  #live({
    kit,
    crossOrigin,
    feedUrl,
    more,
  }: {
    kit: ServiceKit;
    crossOrigin: CrossOrigin;
    feedUrl: string | undefined;
    more: Partial<LiveOptions>;
  }): Live {
    const { issuer, prefix } = this;
    return new Live({
      kit,
      verifier: issuer.verifier,
      revocations: issuer.revocations,
      publicOrigin,
      feed: (listeners) =>
        new LiveFeed({
          redisUrl: feedUrl ?? this.#redisUrl,
          prefix,
          signatures: testStreamSignatures,
          log: kit.log,
          ...listeners,
        }),
      introspection: false,
      crossOrigin,
      ...more,
    });
  }
}

async function readsEvents(url: string): Promise<boolean> {
  const state = (await (await fetch(`${url}/readyz`)).json()) as {
    dependencies: Record<string, { status: string }>;
  };
  return state.dependencies.live?.status === 'up';
}

/** Returns the number of subscriptions of a gateway. */
export async function subscriptionsAt({ kit }: Gateway): Promise<number> {
  const text = await kit.metrics.metrics();
  return Number(/^live_subscriptions\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? -1);
}
