import { createHash, randomBytes } from 'node:crypto';
import { createKit, createRedis, redisReady, SealedValues } from '@ostiary/service';
import { decodeJwt } from 'jose';
import { signIn } from '../e2e/support/sign-in.ts';
import { RedisAuthorizationCodes } from '../services/auth/src/oauth/data/authorization-codes.ts';
import { MasterKeys } from '../services/auth/src/tenancy/keys/domain/keys.ts';
import { type BenchContext, basic } from './scenario.ts';

/** One verifier for every code, because only the server is measured. */
export const codeVerifier = randomBytes(32).toString('base64url');
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

export const redirectUri = 'https://app.example.com/callback';
const scopes = ['openid', 'offline_access'];

/** Registers a client at the operator's endpoint, which accepts all metadata of RFC 7591. */
export async function registerClient(
  { system }: BenchContext,
  metadata: object,
): Promise<{ client_id: string; client_secret?: string }> {
  const operator = { client_id: 'operator', client_secret: system.secrets.OPERATOR_CLIENT_SECRET };
  const token = await fetch(`${system.urls.auth}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: basic(operator) },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const response = await fetch(`${system.urls.auth}/internal/v1/tenants/demo/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  if (response.status !== 201) throw new Error(`registration: ${response.status} ${await response.text()}`);
  return (await response.json()) as { client_id: string; client_secret?: string };
}

/** Creates authorization codes in the state that the authorization endpoint leaves, without its cost. */
export interface CodeMint {
  clientId: string;
  issue(count: number): Promise<string[]>;
  /** Token request that redeems a code. */
  form(code: string): Record<string, string>;
  /** Number of keys in Valkey. */
  keys(): Promise<number>;
  close(): void;
}

/** Creates codes of a public client with PKCE and ES256 ID tokens, for a few signed-in users. */
export async function codeMint(context: BenchContext, people = 8): Promise<CodeMint> {
  const { system, demo } = context;
  const { client_id: clientId } = await registerClient(context, {
    client_name: 'Benchmark',
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [redirectUri],
    scope: scopes.join(' '),
    id_token_signed_response_alg: 'ES256',
  });
  const persons: { subjectId: string; subjectEpoch: number; sessionId: string }[] = [];
  for (let person = 0; person < people; person += 1) {
    const { tokens } = await signIn(demo, demo.tenants.demo, demo.tenants.demo.users.alice);
    const { sub, sub_epoch, sid } = decodeJwt(tokens.access_token);
    persons.push({ subjectId: sub ?? '', subjectEpoch: Number(sub_epoch), sessionId: String(sid) });
  }
  const kit = createKit({ name: 'bench' });
  const redis = createRedis(system.redisUrl, { name: 'bench', log: kit.log });
  const keys = new MasterKeys(Buffer.from(system.secrets.ENCRYPTION_KEY, 'base64url'));
  await redisReady(redis);
  const codes = new RedisAuthorizationCodes({
    redis,
    prefix: system.env.auth.REDIS_PREFIX ?? 'ostiary',
    values: new SealedValues({ ring: keys.of('redis-value'), ...kit }),
    names: keys.of('authorization-code'),
    clock: Date.now,
    lifetime: 120,
    tombstoneSeconds: 120,
  });
  const issue = (index: number) =>
    codes.issue({
      tenant: 'demo',
      clientId,
      clientEpoch: 0,
      redirectUri,
      redirectUriSent: true,
      codeChallenge,
      ...(persons[index % persons.length] ?? { subjectId: '', subjectEpoch: 0, sessionId: '' }),
      withdrawals: 0,
      scopes,
      resources: [],
      authTime: Math.floor(Date.now() / 1000),
      amr: ['pwd'],
    });
  return {
    clientId,
    async issue(count) {
      const all: string[] = [];
      while (all.length < count) {
        const size = Math.min(200, count - all.length);
        all.push(...(await Promise.all(Array.from({ length: size }, (_, index) => issue(index)))));
      }
      return all;
    },
    form: (code) => codeForm(clientId, code),
    keys: () => redis.dbsize(),
    close: () => redis.disconnect(),
  };
}

export const codeForm = (clientId: string, code: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: redirectUri,
  code_verifier: codeVerifier,
});

/** Redeems codes, a few concurrently, and returns the tokens. */
export async function redeemAll(
  tokenUrl: string,
  forms: readonly Record<string, string>[],
): Promise<{ access_token: string; refresh_token: string }[]> {
  const all: { access_token: string; refresh_token: string }[] = [];
  for (let start = 0; start < forms.length; start += 16) {
    const some = forms.slice(start, start + 16).map(async (form) => {
      const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as { access_token: string; refresh_token: string };
    });
    all.push(...(await Promise.all(some)));
  }
  return all;
}
