import { dpopEnv, revocationEnv } from '@ostiary/access';
import { tenantPolicyEnv } from '@ostiary/events';
import {
  base64Key,
  bool,
  count,
  databaseEnv,
  eventKeyEnv,
  makeValidator,
  origin,
  type parseEnv,
  port,
  processEnv,
  redisEnv,
  seconds,
  secret,
  streamKeyEnv,
} from '@ostiary/service';
import { defaultCost, passwordCost } from './identity/sign-in/domain/password-cost.ts';

const day = 86_400;

/** Validates the parameters of argon2id, as in a PHC string. */
const passwordHashCost = makeValidator<string>((input) => {
  passwordCost(input);
  return input;
});

/** Validates the URL of the console, without query and fragment, or `off`. */
const consoleUrl = makeValidator<string>((input) => {
  if (input === 'off') return input;
  const address = URL.canParse(input) ? new URL(input) : undefined;
  const given = input.replace(/\/+$/, '');
  if (
    !address ||
    `${address.origin}${address.pathname}`.replace(/\/+$/, '') !== given ||
    !isSecure(address)
  ) {
    throw new Error(
      'must be an https address without query (http on this machine only), such as https://id.example.com/console, or off',
    );
  }
  return given;
});

/** Both secrets are accepted while one is replaced. */
const secondSecret = (name: string) =>
  secret({
    default: undefined,
    desc: `Second accepted value of ${name}: the next one before a replacement, until the process that owns it uses it.`,
  });

/** Environment variables of the authorization server. */
export const env = {
  ...processEnv,
  ...tenantPolicyEnv,
  ...databaseEnv,
  ...redisEnv,
  ...streamKeyEnv,
  ...eventKeyEnv,
  ...dpopEnv,
  ...revocationEnv,
  PORT: port({ default: 4001, desc: 'Port to listen on.' }),
  ENCRYPTION_KEY: base64Key({
    desc: 'Key that encrypts signing keys, second factors and other secrets in the database, and values in Redis. 32 bytes as base64url. Its loss invalidates everything that was issued.',
  }),
  ENCRYPTION_KEY_SECOND: base64Key({
    default: undefined,
    desc: 'Second valid ENCRYPTION_KEY: the next one before a rotation, the former one after it, until no value is encrypted with it (metric `sealed_values_behind`).',
  }),
  DIRECTORY_URL: origin({ default: 'http://127.0.0.1:4002', desc: 'Address of the directory service.' }),
  SERVICE_CLIENT_SECRET_DIRECTORY: secret({ desc: 'Secret of the service client `directory`.' }),
  SERVICE_CLIENT_SECRET_DIRECTORY_SECOND: secondSecret('SERVICE_CLIENT_SECRET_DIRECTORY'),
  SERVICE_CLIENT_SECRET_PROVISIONING: secret({ desc: 'Secret of the service client `provisioning`.' }),
  SERVICE_CLIENT_SECRET_PROVISIONING_SECOND: secondSecret('SERVICE_CLIENT_SECRET_PROVISIONING'),
  SERVICE_CLIENT_SECRET_GATEWAY: secret({ desc: 'Secret of the service client `gateway`.' }),
  SERVICE_CLIENT_SECRET_GATEWAY_SECOND: secondSecret('SERVICE_CLIENT_SECRET_GATEWAY'),
  OPERATOR_CLIENT_SECRET: secret({
    default: undefined,
    desc: 'Secret of the service client `operator`, which creates tenants, clients and first administrators. Unset: the client does not exist.',
  }),
  OPERATOR_CLIENT_SECRET_SECOND: secondSecret('OPERATOR_CLIENT_SECRET'),
  ACCESS_TOKEN_TTL_SECONDS: seconds({ default: 600, desc: 'Lifetime of an access token.' }),
  ID_TOKEN_TTL_SECONDS: seconds({ default: 3600, desc: 'Lifetime of an ID token.' }),
  AUTHORIZATION_CODE_TTL_SECONDS: seconds({ default: 60, desc: 'Lifetime of an authorization code.' }),
  DEVICE_FLOW_ENABLED: bool({
    default: true,
    desc: 'Enables the device flow (RFC 8628), by which users sign in on devices without a browser.',
  }),
  DEVICE_CODE_TTL_SECONDS: seconds({ default: 600, desc: 'Lifetime of a device code.' }),
  DEVICE_REQUESTS_PER_MINUTE: count({
    default: 60,
    desc: 'Maximum number of device authorization requests of one client per minute and network (an address, or an IPv6 /64).',
  }),
  DEVICE_CODES_WAITING: count({
    default: 10_000,
    desc: 'Maximum number of pending device codes of one client.',
  }),
  PUSHED_REQUEST_TTL_SECONDS: seconds({
    default: 60,
    desc: 'Lifetime of a pushed authorization request (RFC 9126).',
  }),
  PUSHED_REQUESTS_PER_MINUTE: count({
    default: 200,
    desc: 'Maximum number of pushed authorization requests of a public client per minute and network (an address, or an IPv6 /64). The maximum per client is 100 times, per tenant 400 times this value.',
  }),
  REQUEST_URIS_PER_MINUTE: count({
    default: 200,
    desc: 'Maximum number of request objects (`request_uri`) and client metadata documents that are fetched per minute and network (an address, or an IPv6 /64). The maximum per client is 50 times, per tenant 200 times this value.',
  }),
  SIGN_INS_WAITING: count({
    default: 5_000,
    desc: 'Maximum number of pending sign-ins of one network (an address, or an IPv6 /64).',
  }),
  REFRESH_TOKEN_IDLE_SECONDS: seconds({
    default: 14 * day,
    desc: 'Time after which an unused refresh token expires.',
  }),
  REFRESH_TOKEN_ABSOLUTE_SECONDS: seconds({
    default: 90 * day,
    desc: 'Maximum lifetime of a grant after the sign-in, including refreshes.',
  }),
  REFRESH_RETRY_WINDOW_SECONDS: seconds({
    default: 10,
    desc: 'Time during which a repeated refresh returns the same new refresh token. After it, a repetition is a replay and revokes the grant. With 0, every repetition is a replay.',
  }),
  SESSION_IDLE_SECONDS: seconds({
    default: day,
    desc: 'Time after which an unused browser session expires.',
  }),
  SESSION_ABSOLUTE_SECONDS: seconds({
    default: 14 * day,
    desc: 'Maximum lifetime of a browser session after sign-in.',
  }),
  CONSOLE_URL: consoleUrl({
    default: undefined,
    desc: 'Address of the console, to which users return after sign-in. `off`: no tenant has the client `console`. Unset: `/console` at PUBLIC_ORIGIN if that is https or loopback.',
  }),
  OUTGOING_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Permits registered addresses (`jwks_uri`, logos, receivers) in private networks and on this machine.',
  }),
  SIGN_IN_TENANT_FAILURES: count({
    default: 3_000,
    desc: 'Maximum number of failed sign-ins of a tenant in 15 minutes. Above it, sign-ins from networks without a recent successful sign-in are delayed.',
  }),
  SIGNING_KEY_ROTATION_SECONDS: seconds({
    default: 30 * day,
    desc: 'Age at which a signing key is replaced.',
  }),
  SIGNING_KEY_LEAD_SECONDS: seconds({
    default: 3_600,
    desc: 'Time for which a signing key is published before it signs. It must exceed the time for which verifiers cache the JWKS.',
  }),
  PASSWORD_MIN_LENGTH: count({
    default: 12,
    desc: 'Minimum length of a password in characters, for users and identity sources.',
  }),
  INVITATION_TTL_SECONDS: seconds({
    default: 3 * day,
    desc: 'Default lifetime of an invitation link.',
  }),
  SECURITY_LOG_RETENTION_SECONDS: seconds({
    default: 400 * day,
    desc: 'Retention time of the security log.',
  }),
  DELIVERY_TIMEOUT_SECONDS: seconds({
    default: 10,
    desc: 'Timeout of a request to a receiver (webhook, security event stream, logout endpoint).',
  }),
  DELIVERY_RETRY_FIRST_SECONDS: seconds({
    default: 5,
    desc: 'Interval before the first retry of a failed delivery. It doubles with each retry.',
  }),
  DELIVERY_RETRY_MAX_SECONDS: seconds({
    default: 6 * 3_600,
    desc: 'Maximum interval between two attempts of a delivery.',
  }),
  DELIVERY_GIVE_UP_SECONDS: seconds({
    default: 3 * day,
    desc: 'Time for which a delivery is retried. After it, the delivery is a dead letter until an administrator replays it.',
  }),
  DELIVERY_CONCURRENCY: count({
    default: 64,
    desc: 'Maximum number of concurrent deliveries of one process; at most five to one receiver.',
  }),
  DELIVERED_RETENTION_SECONDS: seconds({
    default: 7 * day,
    desc: 'Retention time of completed deliveries.',
  }),
  DEAD_DELIVERY_RETENTION_SECONDS: seconds({
    default: 30 * day,
    desc: 'Retention time of dead letters, and of deliveries to paused receivers.',
  }),
  PASSWORD_HASH_CONCURRENCY: count({
    default: 2,
    desc: 'Maximum number of concurrent argon2id computations; further sign-ins wait.',
  }),
  PASSWORD_HASH_COST: passwordHashCost({
    default: defaultCost,
    desc: 'Parameters of argon2id for new password hashes: memory in KiB, passes, lanes. They must be at least as strong as one of `m=47104,t=1,p=1`, `m=19456,t=2,p=1`, `m=12288,t=3,p=1`, `m=9216,t=4,p=1` or `m=7168,t=5,p=1` (OWASP). A hash with other parameters is replaced when its user signs in.',
  }),
  GRAPH_INTROSPECTION: bool({
    default: undefined,
    desc: 'Enables introspection of the graph without a token. Unset: only outside production.',
  }),
};

/** Reports whether a URL is https or loopback. The console keeps the keys of its tokens in the browser. */
function isSecure({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
  );
}

/** Returns the URL of the console, or undefined if there is none. */
export function consoleUrlOf({
  CONSOLE_URL: given,
  PUBLIC_ORIGIN: publicOrigin,
}: AuthEnv): string | undefined {
  if (given === undefined) return isSecure(new URL(publicOrigin)) ? `${publicOrigin}/console` : undefined;
  return given === 'off' ? undefined : given;
}

export type AuthEnv = ReturnType<typeof parseEnv<typeof env>>;
