import { count, origin, seconds, secret } from '@ostiary/service';

/** Environment variables of processes that verify proofs of possession (RFC 9449). */
export const dpopEnv = {
  DPOP_PROOFS_PER_MINUTE: count({
    default: 600,
    desc: 'Maximum number of DPoP proofs per minute and network (an address, or an IPv6 /64) from clients without a token or credentials; 50 times this value for other clients. Further requests are rejected with 429.',
  }),
};

/** Environment variables of processes that follow the revocation feed. */
export const revocationEnv = {
  REVOCATION_MAX_STALENESS_SECONDS: seconds({
    default: 10,
    desc: 'Maximum age of the revocation feed. With an older one, each token is introspected at the authorization server, which queries its database; if that fails, requests are rejected with 503.',
  }),
};

/**
 * Environment variables of processes that verify tokens and call other services (all except the authorization
 * server).
 */
export const accessEnv = {
  ...dpopEnv,
  ...revocationEnv,
  AUTH_URL: origin({
    default: 'http://127.0.0.1:4001',
    desc: 'Internal address of the authorization server.',
  }),
  SERVICE_CLIENT_SECRET: secret({
    desc: 'Secret with which this process authenticates at the authorization server, as the platform client of the same name.',
  }),
};
