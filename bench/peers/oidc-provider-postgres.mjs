// oidc-provider with authorization codes, grants and rotating refresh tokens in PostgreSQL, for a public client with
// PKCE, ES256 throughout. Codes are created on request, as its authorization endpoint creates them.
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';
import { adapterOn, createPool, prepare } from './postgres-adapter.mjs';

const { PORT: port, DATABASE_URL: databaseUrl, ACCOUNTS: accounts } = process.env;
const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
const resource = 'https://api.example.com';
const scope = 'openid offline_access read';

const pool = createPool(databaseUrl);
await prepare(pool);

const redirectUri = 'https://app.example.com/callback';
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: adapterOn(pool),
  clients: [
    {
      client_id: 'app',
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [redirectUri],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    {
      client_id: 'resource-server',
      client_secret: 'bench-secret-bench-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'read',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 1_209_600, RefreshToken: 1_209_600 },
});

let made = 0;

/** Creates a code in the state after sign-in and consent. */
async function issue(codeChallenge, resourceServer) {
  const accountId = `account-${made++ % Number(accounts ?? 8)}`;
  const grant = new provider.Grant({ accountId, clientId: 'app' });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(resource, 'read');
  const grantId = await grant.save();
  const code = new provider.AuthorizationCode({
    accountId,
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
    claims: {},
    client: await provider.Client.find('app'),
    codeChallenge,
    codeChallengeMethod: 'S256',
    expiresWithSession: false,
    grantId,
    redirectUri,
    ...(resourceServer ? { resource } : {}),
    scope,
  });
  return code.save();
}

process.on('message', async ({ codes, challenge, resourceServer }) => {
  const all = [];
  while (all.length < codes) {
    const size = Math.min(50, codes - all.length);
    all.push(...(await Promise.all(Array.from({ length: size }, () => issue(challenge, resourceServer)))));
  }
  process.send({ codes: all });
});
process.on('disconnect', () => process.exit());

provider.listen(Number(port), '127.0.0.1', () => process.send('ready'));
