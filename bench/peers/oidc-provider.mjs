// oidc-provider with its in-memory storage, issuing ES256 JWT access tokens for client_credentials: the most used
// OpenID provider of Node.js in its fastest configuration.
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';

const port = Number(process.env.PORT);
const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
const resource = 'https://api.example.com';

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'bench-secret-bench-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      getResourceServerInfo: () => ({
        scope: 'read',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: { ClientCredentials: 600 },
});

provider.listen(port, '127.0.0.1', () => process.send?.('ready'));
