import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type ProtectedContext, requireRule, requireToken } from '../src/apollo.ts';
import type { Verify } from '../src/index.ts';
import { Prover } from '../src/testing.ts';
import { StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;
let server: ApolloServer<ProtectedContext>;
let url: string;
let verify: Verify;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  verify = issuer.verifier();
  server = new ApolloServer<ProtectedContext>({
    typeDefs: 'type Query { subject: String!, refund: String }',
    resolvers: {
      Query: {
        subject: (_parent, _args, { principal }) => principal.subject,
        refund: (_parent, _args, { principal }) => {
          requireRule(verify, principal, { scopes: ['orders:refund'] });
          return 'refunded';
        },
      },
    },
  });
  const context = requireToken(verify, { scopes: ['orders:read'] });
  ({ url } = await startStandaloneServer(server, { context, listen: { port: 0, host: '127.0.0.1' } }));
});

afterAll(async () => {
  await server?.stop();
  await issuer.stop();
});

const ask = (headers: Record<string, string>, query = '{ subject }'): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

const authorized = async (claims: Record<string, unknown> = {}): Promise<Record<string, string>> => ({
  authorization: await issuer.bearer({ scope: 'orders:read', ...claims }),
});

const extensionsOf = async (response: Response): Promise<object> => {
  const { errors = [] } = (await response.json()) as { errors?: { extensions: object }[] };
  const [{ extensions } = { extensions: {} }] = errors;
  return { ...extensions, stacktrace: undefined };
};

test('An operation with a valid token reaches the resolvers of Apollo Server with its principal.', async () => {
  const response = await ask(await authorized());
  expect([response.status, await response.json()]).toEqual([200, { data: { subject: 'user-1' } }]);
});

test('Apollo Server answers an operation without a token with 401 and the challenge.', async () => {
  const response = await ask({});
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('resource_metadata="https://orders.example/');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await extensionsOf(response)).toEqual({ code: 'UNAUTHENTICATED', error: 'unauthorized' });
});

test('Apollo Server answers an operation without a required scope with 403.', async () => {
  const response = await ask(await authorized({ scope: 'orders:write' }));
  expect(response.status).toBe(403);
  expect(await extensionsOf(response)).toEqual({ code: 'FORBIDDEN', error: 'insufficient_scope' });
});

test('Apollo Server answers an operation whose token cannot be verified with 503 and a time.', async () => {
  const unreachable = new StubIssuer();
  await unreachable.start();
  const isolated = new ApolloServer({ typeDefs: 'type Query { subject: String }' });
  const context = requireToken(unreachable.verifier());
  const listen = { port: 0, host: '127.0.0.1' };
  const started = await startStandaloneServer(isolated, { context, listen });
  const headers = { authorization: await unreachable.bearer(), 'content-type': 'application/json' };
  unreachable.failures.set('*', 'cut');
  try {
    const body = JSON.stringify({ query: '{ subject }' });
    const response = await fetch(started.url, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await extensionsOf(response)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  } finally {
    await isolated.stop();
    await unreachable.stop();
  }
});

test('A rule of a resolver rejects tokens that lack it, and a missing principal.', async () => {
  const query = '{ subject refund }';
  const response = await ask(await authorized(), query);
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toContain('scope="orders:refund"');
  expect(await response.json()).toMatchObject({ data: { subject: 'user-1', refund: null } });
  const sufficient = await ask(await authorized({ scope: 'orders:read orders:refund' }), query);
  expect(await sufficient.json()).toEqual({ data: { subject: 'user-1', refund: 'refunded' } });
  expect(() => requireRule(verify, undefined)).toThrow('An access token is required.');
});

test('An operation with a DPoP proof for the address of Apollo Server is accepted once.', async () => {
  const prover = await Prover.create();
  const token = await issuer.token({ scope: 'orders:read', cnf: { jkt: prover.jkt } });
  const headers = await prover.headers('POST', 'https://orders.example/', token);
  expect((await ask(headers)).status).toBe(200);
  expect((await ask(headers)).status).toBe(401);
});

test('A revoked token is rejected by Apollo Server.', async () => {
  const headers = await authorized({ jti: 'of Apollo' });
  expect((await ask(headers)).status).toBe(200);
  issuer.revoke('jti', 'of Apollo');
  await eventually(async () => (await ask(headers)).status === 401);
});
