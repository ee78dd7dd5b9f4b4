import { base64Key, count, port, processEnv, secret, str, url } from '@ostiary/service';
import { proxyNames } from './proxies/index.ts';

const { PUBLIC_ORIGIN: _origin, TRUSTED_PROXIES: _proxies, ...common } = processEnv;

export const env = {
  ...common,
  PORT: port({ default: 4004, desc: 'Port to listen on.' }),
  PROXY: str({
    choices: proxyNames,
    desc: 'Proxy that asks the guard. It determines the headers that describe the original request; others are ignored.',
  }),
  ISSUER: url({
    desc: 'Issuer of the tenant whose access tokens are accepted.',
    example: 'https://id.example.com/t/acme',
  }),
  CLIENT_ID: str({
    desc: 'Confidential client whose `protectedResources` contain the audience of each host. It also signs users of web apps in.',
  }),
  CLIENT_SECRET: secret({ desc: 'Secret of CLIENT_ID.' }),
  RULES_PATH: str({
    desc: 'Path of the JSON file with the hosts and their rules. It is read at the start.',
    example: '/etc/ostiary/guard.json',
  }),
  GUARD_KEY: base64Key({
    desc: 'Key from which the keys that sign assertions and encrypt cookies are derived, the same for all replicas. 32 bytes as base64url.',
  }),
  GUARD_KEY_SECOND: base64Key({
    default: undefined,
    desc: 'Second GUARD_KEY whose signatures are published and whose cookies are accepted: the next one before a rotation, the former one after it.',
  }),
  MAX_STALENESS_SECONDS: count({
    default: 10,
    desc: 'Maximum age of the revocation list in seconds, minimum 3. With an older one, each token is introspected; if that fails, the request is rejected with 503.',
  }),
};
