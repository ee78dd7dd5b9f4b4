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
import { DpopProofs } from '../dpop/dpop.ts';
import { proofAllowance } from '../dpop/dpop-allowance.ts';
import { feedWaitSeconds, RevocationFollower } from '../revocations/follower.ts';
import { RevocationList } from '../revocations/revocations.ts';
import { ServiceTokens } from '../service-tokens.ts';
import { RemoteKeys } from '../tokens/jwks.ts';
import { platformTenant, serviceAudience, subgraphAudience } from '../tokens/principal.ts';
import { Authority, answerMs } from './authority.ts';
import { LocalTokenVerifier, type TokenVerifier } from './verifier.ts';

export interface RemoteAccessOptions {
  kit: ServiceKit;
  /** The name of this process, which is also its platform client id. */
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

/** Milliseconds between looks at what has to be there while the authorization server is away. */
const tendEveryMs = 5_000;

/** Everything a process other than the authorization server needs to verify tokens and to call its neighbours. */
export class RemoteAccess {
  readonly verifier: TokenVerifier;
  readonly revocations = new RevocationList();
  readonly follower: RevocationFollower;
  readonly #options: RemoteAccessOptions;
  /** Without a token of this process: tokens and keys are asked for here. */
  readonly #open: HttpPeer;
  readonly #auth: HttpPeer;
  readonly #keys: RemoteKeys;
  readonly #redis: Redis;
  readonly #tokens = new Map<string, ServiceTokens>();
  /** Those for neighbours, which may be needed when it is too late to ask for one. */
  readonly #tended = new Set<ServiceTokens>();
  #tending: NodeJS.Timeout | undefined;
  /** There has been all that is needed to decide here. */
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

  /** Supplies this process's token for another service's internal surface. */
  tokenFor(service: Neighbour): (refused?: string) => Promise<string> {
    const own = this.#tokensOf(serviceAudience(service));
    this.#tended.add(own);
    return (refused) => own.supply(refused);
  }

  /** Supplies the gateway's token by which it vouches to a subgraph for a proof of possession. */
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
   * A process that was asked for nothing lately must not need the authorization server when it is asked: neither for a token nor for the
   * keys that its neighbours' tokens are verified with.
   */
  #tend(): void {
    for (const own of this.#tended) own.tend();
    this.#keys.keys(platformTenant, false).catch(() => undefined);
  }

  /** A key is gone before its time: its successor may be signing already. */
  #forgetKey(tenant: string): void {
    this.#keys.forget(tenant);
    if (tenant === platformTenant) for (const own of this.#tokens.values()) own.forget();
  }

  /** A secret that is refused: no token of this process can be had, and without one it can ask none of its neighbours. */
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
    // Before it has the feed, its own tokens and a key, each request would ask the authorization server, or fail. From then on its absence only
    // degrades this process.
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
      impairs: 'Revocations and events arrive up to a second late, and bound tokens (DPoP) are refused.',
    });
    const revocations = async (): Promise<void> => {
      const age = monotonic() - this.revocations.freshAt;
      if (age > env.REVOCATION_MAX_STALENESS_SECONDS * 1000) throw new NotReady('stale');
    };
    kit.health.check('revocations', revocations, {
      required: false,
      impairs:
        'Each token is asked about at the authorization server, and refused when that does not answer.',
    });
    this.#checkCredential();
  }
}

const monotonic = (): number => performance.now();

/** Verifies proofs of possession; what was used once is remembered in Redis, for all processes. */
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

/** How much a process's revocation list holds, and for how long it hasn't been known to be complete. @param monotonic the list's clock */
export function measureRevocations(
  kit: Pick<ServiceKit, 'metrics'>,
  revocations: RevocationList,
  monotonic: () => number,
): void {
  new Gauge({
    name: 'revocation_list_entries',
    help: 'Live revocations held in memory',
    registers: [kit.metrics],
    collect() {
      this.set(revocations.size);
    },
  });
  new Gauge({
    name: 'revocation_list_age_seconds',
    help: 'Time since the revocation list was last known to be complete',
    registers: [kit.metrics],
    collect() {
      this.set(Math.max(0, (monotonic() - revocations.freshAt) / 1000));
    },
  });
}
