import {
  createRedis,
  dpopNonceKeys,
  Gauge,
  HttpPeer,
  NotReady,
  type ProcessName,
  type Redis,
  redisProbe,
  type ServiceKit,
  type StreamKeys,
  streamSignatures,
} from '@ostiary/service';
import { ElapsedTime, feedWaitSeconds } from '@ostiary/verifier/core';
import { DpopProofs } from '../dpop/dpop.ts';
import { proofAllowance } from '../dpop/dpop-allowance.ts';
import { RevocationFollower } from '../revocations/follower.ts';
import { RevocationList } from '../revocations/revocations.ts';
import { ServiceTokens } from '../service-tokens.ts';
import { RemoteKeys } from '../tokens/jwks.ts';
import { platformTenant, serviceAudience, subgraphAudience } from '../tokens/principal.ts';
import { Authority, answerMs } from './authority.ts';
import { LocalTokenVerifier, type TokenVerifier } from './verifier.ts';

export interface RemoteAccessOptions {
  kit: ServiceKit;
  /** Name of this process, which is also its platform client id. */
  serviceName: ProcessName;
  env: {
    AUTH_URL: string;
    PUBLIC_ORIGIN: string;
    REDIS_URL: string;
    REDIS_PREFIX: string;
    SERVICE_CLIENT_SECRET: string;
    REVOCATION_MAX_STALENESS_SECONDS: number;
    DPOP_PROOFS_PER_MINUTE: number;
  } & StreamKeys;
}

type Neighbour = 'auth' | 'directory' | 'provisioning';

/** Interval in ms of the preparations for an outage of the authorization server. */
const tendEveryMs = 5_000;

/** Verification of tokens and calls to other services, for all processes except the authorization server. */
export class RemoteAccess {
  readonly verifier: TokenVerifier;
  readonly revocations = new RevocationList();
  readonly follower: RevocationFollower;
  readonly #options: RemoteAccessOptions;
  /** Client without a token, for tokens and keys. */
  readonly #open: HttpPeer;
  readonly #auth: HttpPeer;
  readonly #keys: RemoteKeys;
  readonly #redis: Redis;
  readonly #tokens = new Map<string, ServiceTokens>();
  /** Tokens for other services, renewed before they are needed. */
  readonly #tended = new Set<ServiceTokens>();
  #tending: NodeJS.Timeout | undefined;
  readonly #time = new ElapsedTime();
  /** Whether everything needed for decisions has been loaded once. */
  #isPrepared = false;

  constructor(options: RemoteAccessOptions) {
    const { env, kit } = options;
    const { neighbours } = kit;
    const peer = { name: 'auth', origin: env.AUTH_URL, timeoutMs: answerMs, neighbours };
    this.#options = options;
    this.#open = new HttpPeer({ ...peer, connections: 4 });
    this.#auth = new HttpPeer({ ...peer, connections: 8, token: this.tokenFor('auth') });
    this.#keys = new RemoteKeys(this.#open, kit.clock);
    this.#redis = createRedis(env.REDIS_URL, { name: `${options.serviceName}-dpop`, log: kit.log });
    const monotonic = (): number => this.#time.now();
    const authority = new Authority(this.#auth);
    this.follower = new RevocationFollower({
      list: this.revocations,
      redisUrl: env.REDIS_URL,
      prefix: env.REDIS_PREFIX,
      signatures: streamSignatures(env),
      log: kit.log,
      clock: monotonic,
      pull: (after, waiting) => authority.revocations(after, waiting),
      waitSeconds: feedWaitSeconds(env.REVOCATION_MAX_STALENESS_SECONDS),
    });
    this.verifier = new LocalTokenVerifier({
      publicOrigin: env.PUBLIC_ORIGIN,
      keys: this.#keys,
      revocations: this.revocations,
      introspect: (tenant, token) => authority.introspect(tenant, token),
      apiToken: (token) => authority.apiToken(token),
      proofs: dpopProofs(options, this.#redis),
      maxStalenessMs: env.REVOCATION_MAX_STALENESS_SECONDS * 1000,
      clock: kit.clock,
      monotonic,
    });
    this.revocations.onRevoked(({ kind, tenant }) => {
      if (kind === 'key') this.#forgetKey(tenant);
    });
    measureRevocations(kit, this.revocations, monotonic);
    this.#checkHealth();
  }

  /** Returns a supplier of this process's token for another service's internal API. */
  tokenFor(service: Neighbour): (refused?: string) => Promise<string> {
    const own = this.#tokensOf(serviceAudience(service));
    this.#tended.add(own);
    return (refused) => own.supply(refused);
  }

  /** Returns a supplier of the gateway's vouchers for proofs of possession to a subgraph. */
  voucherFor(service: Neighbour): () => Promise<string> {
    const own = this.#tokensOf(subgraphAudience(service));
    return () => own.supply();
  }

  start(): void {
    this.follower.start();
    this.#tend();
    this.#tending = setInterval(() => this.#tend(), tendEveryMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#tending);
    await this.follower.stop();
    this.#redis.disconnect();
    await Promise.all([this.#auth.close(), this.#open.close()]);
  }

  #tokensOf(audience: string): ServiceTokens {
    let own = this.#tokens.get(audience);
    if (!own) {
      const { serviceName, env } = this.#options;
      own = new ServiceTokens({
        auth: this.#open,
        clientId: serviceName,
        clientSecret: env.SERVICE_CLIENT_SECRET,
        audience,
      });
      this.#tokens.set(audience, own);
    }
    return own;
  }

  /**
   * Renews tokens and the keys for other services' tokens, so that an idle process needs no authorization
   * server at its next request.
   */
  #tend(): void {
    for (const own of this.#tended) own.tend();
    this.#keys.keys(platformTenant, false).catch(() => undefined);
  }

  /** Discards the keys of a tenant after an early removal: the successor may sign already. */
  #forgetKey(tenant: string): void {
    this.#keys.forget(tenant);
    if (tenant === platformTenant) for (const own of this.#tokens.values()) own.forget();
  }

  /** Reports a rejected secret: the process gets no token and cannot call other services. */
  #checkCredential(): void {
    const credential = async (): Promise<void> => {
      if ([...this.#tokens.values()].some(({ rejected }) => rejected))
        throw new NotReady('credential_rejected');
    };
    const held = (): boolean => [...this.#tended].every((tokens) => tokens.held);
    this.#options.kit.health.check('service-credential', credential, {
      required: () => !held(),
      impairs: 'This process cannot call other services: auth rejects SERVICE_CLIENT_SECRET.',
    });
  }

  #checkHealth(): void {
    const { env, kit, serviceName } = this.#options;
    kit.health.check('auth', () => this.#open.alive(), {
      required: false,
      impairs: 'Users cannot sign in, and requests that need the authorization server fail.',
    });
    const writes = redisProbe(this.#redis, env.REDIS_PREFIX, serviceName);
    // Until it has the feed, its tokens and a key, each request would need the authorization server, or fail.
    // Afterwards an outage only degrades this process.
    kit.health.check('access', async () => {
      if (this.#isPrepared) return;
      if (this.revocations.freshAt === Number.NEGATIVE_INFINITY) throw new NotReady('not_loaded');
      await Promise.all([
        this.#keys.keys(platformTenant, false),
        ...[...this.#tended].map((own) => own.supply()),
      ]);
      this.#isPrepared = true;
    });
    const redis = async (): Promise<void> => {
      if (!this.follower.streaming) throw new NotReady('unreachable');
    };
    kit.health.check('redis', () => writes().then(redis), {
      required: false,
      impairs: 'Revocations and events arrive up to a second late, and bound tokens (DPoP) are rejected.',
    });
    const revocations = async (): Promise<void> => {
      const age = this.#time.now() - this.revocations.freshAt;
      if (age > env.REVOCATION_MAX_STALENESS_SECONDS * 1000) throw new NotReady('stale');
    };
    kit.health.check('revocations', revocations, {
      required: false,
      impairs: 'Each token is checked with the authorization server, and rejected if it does not respond.',
    });
    this.#checkCredential();
  }
}

/** Creates the verifier of proofs of possession; used proofs are stored in Redis for all processes. */
function dpopProofs({ env, kit }: RemoteAccessOptions, redis: Redis): DpopProofs {
  return new DpopProofs({
    redis,
    prefix: env.REDIS_PREFIX,
    nonceKeys: dpopNonceKeys(env),
    allowance: proofAllowance({
      redis,
      prefix: env.REDIS_PREFIX,
      log: kit.log,
      perMinute: env.DPOP_PROOFS_PER_MINUTE,
    }),
    clock: kit.clock,
  });
}

/**
 * Exports the size of the revocation list and the time since it was last complete. @param monotonic clock of
 * the list
 */
export function measureRevocations(
  kit: Pick<ServiceKit, 'metrics'>,
  revocations: RevocationList,
  monotonic: () => number,
): void {
  new Gauge({
    name: 'revocation_list_entries',
    help: 'Number of unexpired revocations in memory',
    registers: [kit.metrics],
    collect() {
      this.set(revocations.size);
    },
  });
  new Gauge({
    name: 'revocation_list_age_seconds',
    help: 'Seconds since the revocation list was last known to be complete',
    registers: [kit.metrics],
    collect() {
      this.set(Math.max(0, (monotonic() - revocations.freshAt) / 1000));
    },
  });
}
