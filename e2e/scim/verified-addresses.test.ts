import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const password = 'quiet rivers run under stone';
let admin: string;

beforeAll(async () => {
  admin = await adminToken(tenant);
});

const ask = async (query: string, input: object) => {
  const { data, errors } = await graph(demo, admin, query, { input });
  expect(errors).toEqual([]);
  return data;
};
async function connector(vouchesForEmails: boolean) {
  const { createConnector } = await ask(
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token connector { id } } }',
    { name: unique('Source'), vouchesForEmails },
  );
  const { token, connector } = createConnector;
  return { id: connector.id as string, scim: new ScimClient(tenant, token) };
}

test('An address is verified for apps exactly as long as a trusted source states it.', async () => {
  const [hr, other] = [await connector(true), await connector(false)];
  const [userName, first, second] = [
    unique('vera'),
    `${unique('v')}@example.com`,
    `${unique('w')}@example.com`,
  ];
  const { id } = await hr.scim.createUser({
    userName,
    password,
    active: true,
    emails: [{ value: first, type: 'work', primary: true }],
  });
  const { tokens } = await signIn(
    demo,
    tenant,
    { userName, password },
    {
      scope: 'openid email',
    },
  );

  /** Returns the claims of an app at userinfo and in the graph. */
  const notified = async () => {
    const response = await fetch(`${tenant.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const { email, email_verified: verified } = (await response.json()) as Record<string, unknown>;
    const { data } = await graph(
      demo,
      admin,
      'query ($id: ID!) { user(id: $id) { emails { value verified } } }',
      {
        id,
      },
    );
    return { email, verified, emails: data.user.emails };
  };
  const becomes = (email: string, verified: boolean) =>
    eventually(notified, (now) => now.email === email && now.verified === verified);
  const setWork = (source: ScimClient, value: string) =>
    source.patch(`/Users/${id}`, [{ op: 'replace', path: 'emails[type eq "work"].value', value }]);

  expect((await becomes(first, true)).emails).toEqual([{ value: first, verified: true }]);
  await setWork(other.scim, second);
  expect((await becomes(second, false)).emails).toEqual([{ value: second, verified: false }]);
  await setWork(hr.scim, second);
  await becomes(second, true);
  await ask(
    'mutation ($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { id } } }',
    {
      id: hr.id,
      vouchesForEmails: false,
    },
  );
  expect((await becomes(second, false)).emails).toEqual([{ value: second, verified: false }]);
});
