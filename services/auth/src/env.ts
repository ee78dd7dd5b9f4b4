import {
  base64Key,
  count,
  databaseEnv,
  origin,
  type parseEnv,
  port,
  processEnv,
  redisEnv,
  seconds,
  secret,
} from '@ostiary/service';

const day = 86_400;

/** Every variable the authorization server reads. */
export const env = {
  ...processEnv,
  ...databaseEnv,
  ...redisEnv,
  PORT: port({ default: 4001, desc: 'Port to listen on.' }),
  ENCRYPTION_KEY: base64Key({
    desc: 'Encrypts signing keys at rest; the keys of client secrets, codes, cookies and refresh tokens are derived from it. Losing it ends all of them.',
  }),
  DIRECTORY_URL: origin({ default: 'http://127.0.0.1:4002', desc: 'Where the directory service listens.' }),
  SERVICE_CLIENT_SECRET_DIRECTORY: secret({ desc: 'Secret of the service client `directory`.' }),
  SERVICE_CLIENT_SECRET_PROVISIONING: secret({ desc: 'Secret of the service client `provisioning`.' }),
  SERVICE_CLIENT_SECRET_GATEWAY: secret({ desc: 'Secret of the service client `gateway`.' }),
  OPERATOR_CLIENT_SECRET: secret({
    default: undefined,
    desc: 'Secret of the service client `operator`, which creates tenants, clients and first administrators. Unset: there is none.',
  }),
  ACCESS_TOKEN_TTL_SECONDS: seconds({ default: 600, desc: 'Lifetime of an access token.' }),
  ID_TOKEN_TTL_SECONDS: seconds({ default: 3600, desc: 'Lifetime of an ID token.' }),
  AUTHORIZATION_CODE_TTL_SECONDS: seconds({ default: 60, desc: 'Lifetime of an authorization code.' }),
  REFRESH_TOKEN_IDLE_SECONDS: seconds({
    default: 14 * day,
    desc: 'A refresh token unused for this long expires.',
  }),
  REFRESH_TOKEN_ABSOLUTE_SECONDS: seconds({
    default: 90 * day,
    desc: 'A grant expires this long after the sign-in, however often it is refreshed.',
  }),
  REFRESH_RETRY_WINDOW_SECONDS: seconds({
    default: 10,
    desc: 'For this long a repeated refresh gets the same successor token; later it is replay and ends the grant. 0: at once.',
  }),
  SESSION_IDLE_SECONDS: seconds({ default: day, desc: 'A browser session unused for this long expires.' }),
  SESSION_ABSOLUTE_SECONDS: seconds({
    default: 14 * day,
    desc: 'A browser session expires this long after sign-in.',
  }),
  PASSWORD_HASH_CONCURRENCY: count({
    default: 2,
    desc: 'How many argon2id computations run at once; further sign-ins wait their turn.',
  }),
};

export type AuthEnv = ReturnType<typeof parseEnv<typeof env>>;
