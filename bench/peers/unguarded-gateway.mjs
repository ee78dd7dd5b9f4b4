// Ostiary's gateway without its protections: accepts any token unverified, without budgets and logs. Shows the cost of
// the protections.
import { readFile } from 'node:fs/promises';
import { createKit } from '@ostiary/service';

const { createGateway } = await import(process.env.GATEWAY);

const anybody = {
  tenant: 'demo',
  kind: 'client',
  subject: 'anybody',
  clientId: 'anybody',
  scopes: new Set(),
  issuer: '',
  audience: [],
  jti: '',
  expiresAt: Number.POSITIVE_INFINITY,
};
const app = await createGateway({
  kit: createKit({ name: 'gateway', logLevel: 'silent' }),
  verifier: { verify: async () => anybody },
  publicOrigin: 'http://unguarded.invalid',
  origins: JSON.parse(process.env.ORIGINS),
  supergraphSdl: await readFile(process.env.SUPERGRAPH, 'utf8'),
  introspection: false,
  scimBodyLimit: 0,
  subgraphTimeoutMs: 5_000,
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.send('ready');
