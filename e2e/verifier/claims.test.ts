import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ostiary } from '@ostiary/verifier';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant } = demo.tenants;
const scim = new ScimClient(tenant, tenant.clients.scim.token);
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

async function change(name: string, input: object, select: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($i: ${type}!) { it: ${name}(input: $i) { ${select} problems { message } } }`;
  const { data, errors } = await graph(demo, await adminToken(tenant), document, { i: input });
  expect([errors, data?.it.problems]).toEqual([[], []]);
  return data.it;
}

test.each(['JWT', 'OPAQUE'])(
  'The verifier package exposes the mapped claims of %s tokens, and of an opaque token the current ones.',
  async (tokenFormat) => {
    const name = unique('costs');
    const scope = `${name}:read`;
    const identifier = `https://${name}.example/v1`;
    const claims = [
      { name: 'plan', expression: '"gold"' },
      { name: 'dept', expression: 'user.department' },
      { name: 'cost', expression: `user.attributes["${enterprise}:costCenter"]` },
    ];
    const { api } = await change(
      'registerApi',
      { identifier, name, tokenFormat, scopes: [{ name: scope }], claims },
      'api { id }',
    );
    const server = await change(
      'registerClient',
      { kind: 'MACHINE', name, protectedResources: [identifier] },
      'client { id } clientSecret',
    );
    const redirectUris = ['http://127.0.0.1:53123/callback'];
    const app = await change(
      'registerClient',
      { kind: 'NATIVE', name, redirectUris, scopes: ['openid', scope], claims: claims.slice(1) },
      'client { id }',
    );
    const user = { userName: name, password: unique('correct horse battery') };
    const extension = { department: 'Research', costCenter: '4711' };
    const { id } = await scim.createUser({ ...user, [enterprise]: extension });
    const web = { client_id: app.client.id, redirect_uris: redirectUris };
    const at = { ...tenant, clients: { ...tenant.clients, web } };
    const { tokens } = await signIn(demo, at, user, { scope: `openid ${scope}` });
    const idToken = JSON.parse(atob(String(tokens.id_token).split('.')[1] ?? ''));
    expect(idToken).toMatchObject({ sub: id, dept: 'Research', cost: '4711' });
    const verify = ostiary({
      issuer: tenant.issuer,
      audience: identifier,
      clientId: server.client.id,
      clientSecret: server.clientSecret,
    });
    try {
      await verify.ready();
      const bearer = `Bearer ${tokens.access_token}`;
      const expected = { plan: 'gold', dept: 'Research', cost: '4711' };
      expect((await verify(bearer)).claims).toMatchObject({ aud: identifier, ...expected });
      await change(
        'updateApi',
        { id: api.id, claims: [{ name: 'plan', expression: '"silver"' }] },
        'api { id }',
      );
      const plan = () =>
        verify(bearer).then(
          ({ claims: current }) => current.plan,
          ({ status }: { status: number }) => status,
        );
      await eventually(plan, (now) => now === (tokenFormat === 'OPAQUE' ? 'silver' : 401));
    } finally {
      verify.stop();
    }
  },
);
