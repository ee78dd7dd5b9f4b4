import { spawnSync } from 'node:child_process';
import { freePort } from '@ostiary/embedded';
import { Browser } from '../../e2e/support/browser.ts';
import { codeChallenge, redirectUri } from '../codes.ts';
import {
  authorizationUrl,
  codeLifetime,
  codesOf,
  emptyDatabase,
  type IdentityServer,
  machine,
  startServer,
} from './identity-server.ts';

const appId = 'app';
const scope = 'openid offline';
/**
 * Base URL of Hydra's sign-in and consent pages. It does not exist: the benchmark accepts both by the administration
 * API.
 */
const pages = 'http://pages.invalid';

/** Starts Hydra alone. @param program path of the executable */
export async function startHydra(program: string, databaseUrl: string): Promise<IdentityServer> {
  const database = await emptyDatabase(databaseUrl, 'hydra');
  database.protocol = 'postgres:';
  database.search = '?sslmode=disable';
  const [open, closed] = [await freePort(), await freePort()];
  const [origin, administration] = [`http://127.0.0.1:${open}`, `http://127.0.0.1:${closed}/admin`];
  const env = {
    PATH: process.env.PATH,
    DSN: database.href,
    SECRETS_SYSTEM: 'a-secret-of-the-benchmarks-alone',
    SQA_OPT_OUT: 'true',
    LOG_LEVEL: 'panic',
    URLS_SELF_ISSUER: origin,
    URLS_LOGIN: `${pages}/login`,
    URLS_CONSENT: `${pages}/consent`,
    SERVE_PUBLIC_HOST: '127.0.0.1',
    SERVE_PUBLIC_PORT: String(open),
    SERVE_ADMIN_HOST: '127.0.0.1',
    SERVE_ADMIN_PORT: String(closed),
    STRATEGIES_ACCESS_TOKEN: 'jwt',
    TTL_ACCESS_TOKEN: '10m',
    TTL_AUTH_CODE: `${codeLifetime}s`,
  };
  const migrated = spawnSync(program, ['migrate', 'sql', 'up', '-e', '--yes'], { env, encoding: 'utf8' });
  if (migrated.status !== 0) throw new Error(`Hydra's migrations failed: ${migrated.stderr}`);
  const server = await startServer(program, ['serve', 'all', '--dev'], {
    env,
    ready: `${origin}/health/ready`,
    seconds: 60,
  });
  try {
    await setUp(administration);
    const people = Array.from({ length: 8 }, (_, person) => ({
      subject: `person-${person}`,
      browser: new Browser(origin),
    }));
    return {
      name: 'Hydra',
      pid: server.pid,
      tokenUrl: `${origin}/oauth2/token`,
      introspectUrl: `${administration}/oauth2/introspect`,
      userinfoUrl: `${origin}/userinfo`,
      clientId: appId,
      machine,
      codes: (count) => codesOf(people, count, (person) => codeOf(origin, administration, person)),
      stop: server.stop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function setUp(administration: string): Promise<void> {
  // ES256, as Ostiary signs; without these sets Hydra creates RSA keys.
  for (const set of ['hydra.openid.id-token', 'hydra.jwt.access-token']) {
    await ask(`${administration}/keys/${set}`, 'POST', { alg: 'ES256', use: 'sig', kid: set });
  }
  await ask(`${administration}/clients`, 'POST', {
    client_id: appId,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [redirectUri],
    scope,
  });
  await ask(`${administration}/clients`, 'POST', {
    ...machine,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
  });
}

async function ask(url: string, method: string, body: object): Promise<{ redirect_to?: string }> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { redirect_to?: string };
}

/** Performs sign-in and consent, which are accepted immediately, and returns the code. */
async function codeOf(
  origin: string,
  administration: string,
  { subject, browser }: { subject: string; browser: Browser },
): Promise<string> {
  const address = authorizationUrl(`${origin}/oauth2/auth`, {
    client_id: appId,
    redirect_uri: redirectUri,
    scope,
    state: 'a-state-of-eight-characters-or-more',
    code_challenge: codeChallenge,
  });
  const accepted = async (kind: 'login' | 'consent', asked: URL, answer: object) => {
    const challenge = asked.searchParams.get(`${kind}_challenge`);
    const url = `${administration}/oauth2/auth/requests/${kind}/accept?${kind}_challenge=${challenge}`;
    const { redirect_to: back } = await ask(url, 'PUT', answer);
    return (await browser.open(back ?? '')).url;
  };
  const login = (await browser.open(address)).url;
  const consent = await accepted('login', login, { subject, remember: true });
  const callback = await accepted('consent', consent, { grant_scope: scope.split(' '), remember: true });
  return callback.searchParams.get('code') ?? '';
}
