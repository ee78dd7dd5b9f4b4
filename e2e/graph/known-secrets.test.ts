import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { runningDemo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { type KnowingUser, knowingUser } from '../support/knowing-user.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let admin: string;

beforeAll(async () => {
  admin = await adminToken(tenant);
});

const owner = 'owner { __typename ... on User { id userName } ... on Group { id displayName } }';
const knownSecrets = `query ($id: ID!) {
  user(id: $id) { knownSecrets { kind name secretId credentialId ${owner} } } }`;
const departures = `query ($id: ID!) {
  departures(userId: $id) { secrets { kind name secretId credentialId ended endsAt ${owner} } } }`;
const both = `query ($id: ID!) {
  user(id: $id) { id knownSecrets { secretId } departures { secrets { secretId ${owner} } } }
  departures(userId: $id) { secrets { secretId ${owner} } } }`;

async function offboard({ id }: KnowingUser): Promise<void> {
  const { data } = await graph(
    demo,
    admin,
    'mutation ($input: UserVersionInput!) { deactivateUser(input: $input) { problems { message } } }',
    { input: { id } },
  );
  expect(data.deactivateUser.problems).toEqual([]);
}

const codes = ({ errors }: Awaited<ReturnType<typeof graph>>) => [
  ...new Set(errors.map(({ extensions }) => extensions?.code)),
];

describe('known secrets in the federated graph', () => {
  test('A secret that a user knows is listed with its owner before the offboarding, and in the report after it.', async () => {
    const leaver = await knowingUser(demo, tenant);
    const { id } = leaver;
    const secret = {
      kind: 'CLIENT_SECRET',
      name: leaver.client.name,
      secretId: expect.any(String),
      credentialId: leaver.client.id,
      owner: { __typename: 'User', ...leaver.owner },
    };
    const before = await graph(demo, admin, knownSecrets, { id });
    expect(before.errors).toEqual([]);
    expect(before.data.user.knownSecrets).toEqual([secret]);
    await offboard(leaver);
    const after = await eventually(
      () => graph(demo, admin, departures, { id }),
      ({ data }) => data.departures.length > 0,
    );
    expect(after.errors).toEqual([]);
    expect(after.data.departures).toEqual([{ secrets: [{ ...secret, ended: true, endsAt: null }] }]);
    const { data } = await graph(demo, admin, knownSecrets, { id });
    expect(data.user.knownSecrets).toEqual([]);
    // The owner knows the new secret only after a rotation.
    const ofOwner = await graph(demo, admin, both, { id: leaver.owner.id });
    expect(ofOwner.data).toMatchObject({ user: { departures: [] }, departures: [] });
  });

  test('Known secrets and reports are readable neither for the rival tenant nor without the scopes.', async () => {
    const leaver = await knowingUser(demo, tenant);
    const { id } = leaver;
    await offboard(leaver);
    await eventually(
      () => graph(demo, admin, departures, { id }),
      ({ data }) => data.departures[0]?.secrets.length === 1,
    );
    const foreign = await graph(demo, await adminToken(rival), both, { id });
    expect(foreign).toMatchObject({ errors: [], data: { user: null, departures: [] } });

    const reader = await graph(demo, await adminToken(tenant, 'users:read'), both, { id });
    expect(codes(reader)).toEqual(['FORBIDDEN']);
    expect(reader.data).toEqual({ user: { id, knownSecrets: null, departures: null }, departures: null });

    const { tokens, subject } = await signIn(demo, tenant, tenant.users.bob);
    for (const asked of [id, subject]) {
      const bob = await graph(demo, tokens.access_token, both, { id: asked });
      expect(codes(bob)).toEqual(['FORBIDDEN']);
      expect(bob.data?.user?.knownSecrets ?? null).toBeNull();
      expect(bob.data?.departures ?? null).toBeNull();
    }
  });
});
