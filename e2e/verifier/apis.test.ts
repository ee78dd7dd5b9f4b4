import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ostiary } from '@ostiary/verifier';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;

async function change(mutation: string, input: object, of = tenant) {
  const [, name = '', type = ''] = /^(\w+)\((\w+)\)/.exec(mutation) ?? [];
  const document = `mutation ($i: ${type}!) { it: ${name}(input: $i) ${mutation.slice(mutation.indexOf('{'))} }`;
  const { data, errors } = await graph(demo, await adminToken(of), document, { i: input });
  expect([errors, data?.it.problems]).toEqual([[], []]);
  return data.it;
}

const register = (input: object, of = tenant) =>
  change(
    'registerClient(RegisterClientInput) { client { id } clientSecret problems { message } }',
    { kind: 'MACHINE', name: unique('orders'), ...input },
    of,
  );

async function tokenOf(
  machine: { client: { id: string }; clientSecret: string },
  scope: string,
  of = tenant,
) {
  const response = await fetch(`${of.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${machine.client.id}:${machine.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

test.each(['JWT', 'OPAQUE'])(
  'The verifier package accepts %s tokens by scope, and rejects them after the API is deleted.',
  async (tokenFormat) => {
    const name = unique('orders');
    const input = {
      identifier: `https://${name}.example/v1`,
      name,
      tokenFormat,
      scopes: [{ name: `${name}:read` }, { name: `${name}:write` }],
    };
    const { api } = await change('registerApi(RegisterApiInput) { api { id } problems { message } }', input);
    await change('registerApi(RegisterApiInput) { api { id } problems { message } }', input, rival);
    const server = await register({ protectedResources: [input.identifier] });
    const machine = await register({ ownScopes: input.scopes.map((scope) => scope.name) });
    const theirs = await register({ ownScopes: [`${name}:read`] }, rival);
    const token = await tokenOf(machine, `${name}:read`);
    expect(token.startsWith('ost_at_')).toBe(tokenFormat === 'OPAQUE');

    const verify = ostiary({
      issuer: tenant.issuer,
      audience: input.identifier,
      clientId: server.client.id,
      clientSecret: server.clientSecret,
    });
    try {
      await verify.ready();
      const statusFor = (bearer: string, scope: string): Promise<number> =>
        verify(`Bearer ${bearer}`, { scopes: [scope] }).then(
          () => 200,
          (error: { status: number }) => error.status,
        );
      expect(await statusFor(token, `${name}:read`)).toBe(200);
      const ends: string[] = [];
      verify.onRevoked(await verify(`Bearer ${token}`), (reason) => ends.push(reason));
      expect(await statusFor(token, `${name}:write`)).toBe(403);
      expect(await statusFor(await tokenOf(theirs, `${name}:read`, rival), `${name}:read`)).toBe(401);
      expect(await statusFor(await adminToken(tenant), `${name}:read`)).toBe(401);
      await change('deleteApi(DeleteApiInput) { id problems { message } }', { id: api.id });
      await eventually(async () => (await statusFor(token, `${name}:read`)) === 401);
      await eventually(() => ends.includes('revoked'));
    } finally {
      verify.stop();
    }
  },
);
