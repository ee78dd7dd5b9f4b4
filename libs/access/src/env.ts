import { count, origin, seconds, secret } from '@ostiary/service';

/** Environment variables of processes that verify proofs of possession (RFC 9449). */
export const dpopEnv = {
  DPOP_PROOFS_PER_MINUTE: count({
    default: 600,
    desc: 'DPoP proofs a minute from one address (an IPv6 /64 is one) of clients that show nothing else: no token and no credentials of their own. Fifty times as many of those that do. Beyond that 429.',
  }),
};

/** Environment variables of processes that follow the revocation feed. */
export const revocationEnv = {
  REVOCATION_MAX_STALENESS_SECONDS: seconds({
    default: 10,
    desc: 'When the revocation feed could not be read for longer, each token is checked with the authorization server, which itself asks its database; if that fails too, requests are refused.',
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
    desc: 'Where the authorization server is reached from inside.',
  }),
  SERVICE_CLIENT_SECRET: secret({
    desc: 'The secret this process authenticates with to the authorization server, as the platform client of its own name.',
  }),
};
