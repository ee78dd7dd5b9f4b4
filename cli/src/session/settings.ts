import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.ts';
import type { ClientSecret } from './token-endpoint.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that is read, for `--help` and the reference. */
export const variables = {
  OSTIARY_SERVER: 'Public origin of the installation (`PUBLIC_ORIGIN` of its processes); --server.',
  OSTIARY_TENANT: 'Tenant; --tenant.',
  OSTIARY_PROFILE: 'Profile; --profile. Default: `default`.',
  OSTIARY_CLIENT_ID: 'Client of the tenant with the grant client_credentials, for scripts.',
  OSTIARY_CLIENT_SECRET:
    'Secret of the client. Not available as an option, because command lines are visible to other users.',
  OSTIARY_CLIENT_SECRET_FILE: 'File with the secret.',
  OSTIARY_OPERATOR_URL:
    'Operator port of the gateway (`OPERATOR_PORT`), for platform commands and --operator.',
  OPERATOR_CLIENT_SECRET: 'Secret of the platform client `operator`, as configured in auth.',
  OPERATOR_CLIENT_SECRET_FILE: 'File with the operator secret.',
  OSTIARY_HOME:
    'Folder of an `npm start`, whose demo tenants are the default. Default: `.ostiary` in this or a parent folder, if owned by the user.',
  XDG_CONFIG_HOME: 'Folder of the profiles (`ostiary/profiles`). Default: `~/.config`.',
  NODE_EXTRA_CA_CERTS: 'Additional certificate authorities, in PEM.',
  HTTPS_PROXY: 'Proxy to the server; also HTTP_PROXY and NO_PROXY. Not used for the local host.',
  NO_COLOR: 'Any value disables colors.',
} as const;

/** Reads a secret from its variable, or from the file that `<variable>_FILE` names. */
export function secretOf(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (env[name] && file) throw new Failure('usage', `Set either ${name} or ${name}_FILE.`);
  if (!file) return env[name] || undefined;
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    throw new Failure('usage', `${name}_FILE cannot be read: ${(error as Error).message}`);
  }
  throw new Failure('usage', `${name}_FILE points to an empty file: ${file}.`);
}

/** @throws Failure unless it is http(s)://host[:port] */
export function originOf(text: string, what: string): string {
  const url = URL.parse(text);
  const usable =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username;
  if (usable) return url.origin;
  throw new Failure(
    'usage',
    `${what} must be an origin such as https://id.example, not ${JSON.stringify(text)}.`,
  );
}

export const isTenantId = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

export function tenantOf(text: string): string {
  if (isTenantId(text)) return text;
  throw new Failure(
    'usage',
    `A tenant id has 1 to 63 lower-case letters, digits and inner hyphens; ${JSON.stringify(text)} is invalid.`,
  );
}

/** The demo tenants of an `npm start`. */
export interface Demo {
  path: string;
  origin: string;
  operatorUrl: string | undefined;
  clients: Readonly<Record<string, ClientSecret>>;
  operatorSecret: string | undefined;
}

/** Finds the `npm start` that OSTIARY_HOME names, or that this user started in this folder or in one above. */
export function demoHere(env: Environment, cwd: string): Demo | undefined {
  if (env.OSTIARY_HOME) return demoIn(resolve(cwd, env.OSTIARY_HOME));
  for (let folder = cwd; ; folder = dirname(folder)) {
    const home = join(folder, '.ostiary');
    const demo = isOwn(home) && isOwn(join(home, 'demo.json')) ? demoIn(home) : undefined;
    if (demo !== undefined || folder === dirname(folder)) return demo;
  }
}

/** In /tmp or an unpacked archive, a file of another user could choose the server and the credentials. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
}

function demoIn(home: string): Demo | undefined {
  const path = join(home, 'demo.json');
  const file = jsonIn<{
    origin: string;
    operator?: string;
    tenants: Record<string, { clients: { admin: { client_id: string; client_secret: string } } }>;
  }>(path);
  if (file === undefined) return undefined;
  const entries = Object.entries(file.tenants ?? {}).map(([name, { clients }]): [string, ClientSecret] => [
    name,
    { id: clients.admin.client_id, secret: clients.admin.client_secret },
  ]);
  return {
    path,
    origin: file.origin,
    operatorUrl: file.operator,
    clients: Object.fromEntries(entries),
    operatorSecret: jsonIn<{ OPERATOR_CLIENT_SECRET?: string }>(join(home, 'secrets.json'))
      ?.OPERATOR_CLIENT_SECRET,
  };
}

function jsonIn<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Failure('usage', `${path} is not valid JSON.`);
  }
}
