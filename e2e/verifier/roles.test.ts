import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ostiary } from '@ostiary/verifier';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant } = demo.tenants;
const scim = new ScimClient(tenant, tenant.clients.scim.token);

async function change(name: string, input: object, select: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($i: ${type}!) { it: ${name}(input: $i) { ${select} problems { message } } }`;
  const { data, errors } = await graph(demo, await adminToken(tenant), document, { i: input });
  expect([errors, data?.it.problems]).toEqual([[], []]);
  return data.it;
}

test.each(['JWT', 'OPAQUE'])(
  'The verifier package requires roles in %s tokens, and rejects a token after its user leaves the group with the role.',
  async (tokenFormat) => {
    const name = unique('approvals');
    const scope = `${name}:read`;
    const identifier = `https://${name}.example/v1`;
    const roles = [{ name: 'reader' }, { name: 'approver' }];
    const { api } = await change(
      'registerApi',
      { identifier, name, tokenFormat, scopes: [{ name: scope }], roles },
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
      { kind: 'NATIVE', name, redirectUris, scopes: ['openid', 'offline_access', scope] },
      'client { id }',
    );
    const user = { userName: name, password: unique('correct horse battery') };
    const { id } = await scim.createUser({ ...user });
    const group = { schemas: [groupSchema], displayName: name, members: [{ value: id }] };
    const groupId = (await scim.call('POST', '/Groups', group)).body.id as string;
    await change('assignGroupApiRole', { groupId, apiId: api.id, role: 'approver' }, 'group { id }');

    const web = { client_id: app.client.id, redirect_uris: redirectUris };
    const at = { ...tenant, clients: { ...tenant.clients, web } };
    const { tokens } = await signIn(demo, at, user, {
      scope: `openid ${scope}`,
    });
    const verify = ostiary({
      issuer: tenant.issuer,
      audience: identifier,
      clientId: server.client.id,
      clientSecret: server.clientSecret,
    });
    try {
      await verify.ready();
      const bearer = `Bearer ${tokens.access_token}`;
      expect([...(await verify(bearer, { scopes: [scope], roles: ['approver'] })).roles]).toEqual([
        'approver',
      ]);
      await expect(verify(bearer, { roles: ['reader'] })).rejects.toMatchObject({
        status: 403,
        code: 'insufficient_role',
      });
      await scim.patch(`/Groups/${groupId}`, [{ op: 'remove', path: `members[value eq "${id}"]` }]);
      await eventually(() =>
        verify(bearer).then(
          () => false,
          (error: { status: number }) => error.status === 401,
        ),
      );
    } finally {
      verify.stop();
    }
  },
);
