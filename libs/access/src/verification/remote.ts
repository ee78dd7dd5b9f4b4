import {
  createRedis,
  dpopNonceKeys,
  Gauge,
  HttpPeer,
  type ServiceKit,
  ServiceUnavailable,
  type StreamKeys,
  streamSignatures,
} from '@ostiary/service';
import { DpopProofs } from '../dpop/dpop.ts';
import { proofAllowance } from '../dpop/dpop-allowance.ts';
import { RevocationFollower } from '../revocations/follower.ts';
import { RevocationList, type RevocationPage } from '../revocations/revocations.ts';
import { type ServiceTokens, serviceTokens } from '../service-tokens.ts';
import { RemoteKeys } from '../tokens/jwks.ts';
import type { LiveApiToken } from '../tokens/live-api-tokens.ts';
import { platformTenant, serviceAudience, subgraphAudience } from '../tokens/principal.ts';
import { createTokenVerifier, type TokenVerifier } from './verifier.ts';

export interface RemoteAccessOptions {
  kit: ServiceKit;
  /** The name of this process, which is also its platform client id. */
  serviceName: string;
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

export interface RemoteAccess {
  verifier: TokenVerifier;
  revocations: RevocationList;
  follower: RevocationFollower;
  /** Supplies this process's token for another service's internal surface. */
  tokenFor(service: 'auth' | 'directory' | 'provisioning'): (refused?: string) => Promise<string>;
  /** Supplies the gateway's token by which it vouches to a subgraph for a proof of possession. */
  voucherFor(service: 'auth' | 'directory' | 'provisioning'): () => Promise<string>;
  start(): void;
  stop(): Promise<void>;
}

/** Milliseconds between looks at what has to be there while the authorization server is away. */
const tendEveryMs = 5_000;

/** Everything a process other than the authorization server needs to verify tokens and to call its neighbours. */
export function remoteAccess(options: RemoteAccessOptions): RemoteAccess {
  const { env, kit } = options;
  const monotonic = () => performance.now();
  const open = new HttpPeer({ name: 'auth', origin: env.AUTH_URL, connections: 4, timeoutMs: 3_000 });
  const tokens = new Map<string, ServiceTokens>();
  const tokensOf = (audience: string): ServiceTokens => {
    let own = tokens.get(audience);
    if (!own) {
      own = serviceTokens({
        auth: open,
        clientId: options.serviceName,
        clientSecret: env.SERVICE_CLIENT_SECRET,
        audience,
      });
      tokens.set(audience, own);
    }
    return own;
  };
  /** Those for neighbours, which somebody may need when it is too late to ask for one. */
  const tended = new Set<ServiceTokens>();
  const tokenFor = (service: string): ServiceTokens['supply'] => {
    const own = tokensOf(serviceAudience(service));
    tended.add(own);
    return own.supply;
  };
  const auth = new HttpPeer({
    name: 'auth',
    origin: env.AUTH_URL,
    connections: 8,
    timeoutMs: 3_000,
    token: tokenFor('auth'),
  });
  const revocations = new RevocationList();
  const follower = new RevocationFollower({
    list: revocations,
    redisUrl: env.REDIS_URL,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    log: kit.log,
    clock: monotonic,
    pull: async (after) => {
      const answer = await auth.request<RevocationPage>({
        method: 'GET',
        path: '/internal/v1/revocations',
        query: { after },
      });
      if (answer.status !== 200) throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
      return answer.body;
    },
  });
  const keys = new RemoteKeys(open, kit.clock);
  revocations.onRevoked(({ kind, tenant }) => {
    if (kind !== 'key') return;
    // A key is gone before its time: its successor may be signing already.
    keys.forget(tenant);
    if (tenant === platformTenant) for (const own of tokens.values()) own.forget();
  });
  const redis = createRedis(env.REDIS_URL, { name: `${options.serviceName}-dpop`, log: kit.log });
  const verifier = createTokenVerifier({
    publicOrigin: env.PUBLIC_ORIGIN,
    keys,
    revocations,
    introspect: async (tenant, token) => {
      const answer = await auth.request<{ active?: boolean }>({
        method: 'POST',
        path: '/internal/v1/introspect',
        body: { tenant, token },
        idempotent: true,
      });
      if (answer.status !== 200) throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
      return answer.body.active === true;
    },
    apiToken: async (token) => {
      const answer = await auth.request<{ token?: LiveApiToken }>({
        method: 'POST',
        path: '/internal/v1/api-tokens/introspect',
        body: { token },
        idempotent: true,
      });
      if (answer.status !== 200) throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
      return answer.body.token;
    },
    proofs: new DpopProofs({
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
    }),
    maxStalenessMs: env.REVOCATION_MAX_STALENESS_SECONDS * 1000,
    clock: kit.clock,
    monotonic,
  });
  measureRevocations(kit, revocations, monotonic);

  let tending: NodeJS.Timeout | undefined;
  // A process that nobody asked for anything lately must not need the authorization server when somebody does: neither for a token
  // nor for the keys that its neighbours' tokens are verified with.
  const tend = (): void => {
    for (const own of tended) own.tend();
    keys.keys(platformTenant, false).catch(() => undefined);
  };

  kit.health.check('auth', () => open.alive(), { required: false });
  kit.health.check(
    'redis',
    async () => {
      if (!follower.streaming) throw new Error('not connected');
    },
    { required: false },
  );
  kit.health.check(
    'revocations',
    async () => {
      if (monotonic() - revocations.freshAt > env.REVOCATION_MAX_STALENESS_SECONDS * 1000) {
        throw new Error('stale');
      }
    },
    { required: false },
  );

  return {
    verifier,
    revocations,
    follower,
    tokenFor,
    voucherFor: (service) => tokensOf(subgraphAudience(service)).supply,
    start: () => {
      follower.start();
      tend();
      tending = setInterval(tend, tendEveryMs).unref();
    },
    stop: async () => {
      clearInterval(tending);
      await follower.stop();
      redis.disconnect();
      await Promise.all([auth.close(), open.close()]);
    },
  };
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
