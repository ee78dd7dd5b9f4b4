import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { connect, type LiveResult, listen, type Subscriber } from '../support/live.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const { graphql } = demo;
let admin: string;
let scim: ScimClient;
let witness: Subscriber;

beforeAll(async () => {
  admin = await adminToken(tenant);
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  witness = await listen(graphql, admin, { query: 'subscription { userChanged { userId kind } }' });
});

afterAll(() => witness.stop());

const about = (id: string) => (result: LiveResult) =>
  [
    result.data?.userChanged?.userId,
    result.data?.sessionRevoked?.userId,
    result.data?.groupChanged?.groupId,
  ].includes(id);
/** Creates a user and waits for the event, so that later subscribers do not receive it. */
const newUser = async (prefix: string) => {
  const userName = unique(prefix);
  const password = unique('correct horse battery');
  const externalId = unique('external');
  const { id } = await scim.createUser({ userName, password, externalId });
  await witness.find(about(id));
  return { id, userName, password, externalId };
};
const rename = (id: string, displayName: string) =>
  scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value: displayName }]);

describe('published events', () => {
  test('userChanged is published from creation to removal, composed from three services.', async () => {
    const subscriber = await listen(graphql, admin, {
      query: `subscription { userChanged { id kind userId version occurredAt user {
        userName active groups { displayName } sessions { id } provisioning { source { name } externalId } } } }`,
    });
    const { id, userName, externalId } = await newUser('watched');
    await rename(id, 'New name');
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]);
    await scim.call('DELETE', `/Users/${id}`);
    await subscriber.find((result) => about(id)(result) && result.data.userChanged.kind === 'DELETED');
    const mine = subscriber.results.filter(about(id));
    expect(mine.map(({ data }) => data.userChanged.kind)).toEqual([
      'CREATED',
      'UPDATED',
      'DEACTIVATED',
      'REACTIVATED',
      'DELETED',
    ]);
    expect(mine.flatMap(({ errors = [] }) => errors)).toEqual([]);
    expect(new Set(mine.map(({ data }) => data.userChanged.id)).size).toBe(5);
    const shown = mine.find(({ data }) => data.userChanged.user !== null)?.data.userChanged.user;
    if (shown) expect(shown).toMatchObject({ userName, groups: [], sessions: [] });
    expect(mine.at(-1)?.data.userChanged.user).toBeNull();
    subscriber.stop();

    const steady = await newUser('steady');
    const second = await listen(graphql, admin, {
      query: `subscription ($id: ID!) { userChanged(ids: [$id]) { user { userName active provisioning { externalId } } } }`,
      variables: { id: steady.id },
    });
    await rename(steady.id, 'Another name');
    const { data } = await second.find(() => true);
    expect(data.userChanged.user).toEqual({
      userName: steady.userName,
      active: true,
      provisioning: [{ externalId: steady.externalId }],
    });
    expect([shown === undefined, externalId]).toContain(externalId);
    second.stop();
  });

  test('groupChanged is published over a WebSocket.', async () => {
    const socket = connect(graphql, { authorization: `Bearer ${admin}` });
    await socket.acknowledged;
    const subscriber = socket.subscribe({
      query:
        'subscription { groupChanged { kind groupId group { displayName members(first: 5) { totalCount } } } }',
    });
    const displayName = unique('Crew');
    // A subscription has no acknowledgement, so the first change may precede it. The change is repeated.
    let id = '';
    for (let attempt = 0; id === '' || !subscriber.results.some(about(id)); attempt += 1) {
      expect(attempt).toBeLessThan(20);
      const answer = await scim.call('POST', '/Groups', {
        schemas: [groupSchema],
        displayName: unique('Crew'),
      });
      id = answer.body.id;
      await subscriber.find(about(id), 500).catch(() => undefined);
    }
    await scim.patch(`/Groups/${id}`, [{ op: 'replace', path: 'displayName', value: displayName }]);
    const { id: member } = await newUser('member');
    await scim.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: member }] }]);
    const { data, errors } = await subscriber.find(
      (result) => about(id)(result) && result.data.groupChanged.group?.members.totalCount === 1,
    );
    expect(errors).toBeUndefined();
    expect(data.groupChanged).toEqual({
      kind: 'UPDATED',
      groupId: id,
      group: { displayName, members: { totalCount: 1 } },
    });
    socket.close();
  });

  test('sessionRevoked is published when an administrator revokes a session and when the user leaves.', async () => {
    const person = await newUser('signed-in');
    const { tokens } = await signIn(demo, tenant, person);
    await signIn(demo, tenant, person);
    const subscriber = await listen(graphql, admin, {
      query:
        'subscription ($id: ID!) { sessionRevoked(userId: $id) { sessionId userId user { userName sessions { id } } } }',
      variables: { id: person.id },
    });
    const own = await graph(demo, tokens.access_token, '{ me { sessions { id current } } }');
    const [first] = own.data.me.sessions.filter((session: { current: boolean }) => !session.current);
    await graph(demo, admin, 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { sessionId } }', {
      id: first.id,
    });
    const revoked = await subscriber.find(() => true);
    expect(revoked.errors).toBeUndefined();
    expect(revoked.data.sessionRevoked).toMatchObject({
      sessionId: first.id,
      userId: person.id,
      user: { userName: person.userName },
    });
    expect(revoked.data.sessionRevoked.user.sessions).toHaveLength(1);
    await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
    const last = await subscriber.find(({ data }) => data.sessionRevoked.sessionId !== first.id);
    expect(last.data.sessionRevoked.user.sessions).toEqual([]);
    subscriber.stop();
  });

  test('provisioningActivity is published with the action of the source, failures and the user.', async () => {
    const all = await listen(graphql, admin, {
      query: `subscription { provisioningActivity {
        sourceId resourceType resourceId status entry { method status source { name } } user { userName } } }`,
    });
    const failed = await listen(graphql, admin, {
      query: 'subscription { provisioningActivity(failed: true) { status entry { scimType } } }',
    });
    const { id, userName } = await newUser('provisioned');
    const duplicate = await scim.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
    });
    expect(duplicate.status).toBe(409);
    const { data, errors } = await all.find((result) => result.data?.provisioningActivity.resourceId === id);
    expect(errors).toBeUndefined();
    expect(data.provisioningActivity).toMatchObject({
      resourceType: 'User',
      status: 201,
      entry: { method: 'POST', status: 201 },
      user: { userName },
    });
    const conflict = await failed.find(
      ({ data: { provisioningActivity } }) => provisioningActivity.status === 409,
    );
    expect(conflict.data.provisioningActivity.entry.scimType).toBe('uniqueness');
    all.stop();
    failed.stop();
  });
});

describe('authorization of events', () => {
  test('A subscriber of the other tenant receives no event of this tenant.', async () => {
    const theirs = await adminToken(rival);
    const query = 'subscription { userChanged { userId user { userName } } }';
    const [ours, intruder] = [
      await listen(graphql, admin, { query }),
      await listen(graphql, theirs, { query }),
    ];
    const named = await listen(graphql, theirs, {
      query: 'subscription ($ids: [ID!]) { userChanged(ids: $ids) { userId user { userName } } }',
      variables: { ids: [(await newUser('first')).id] },
    });
    const { id } = await newUser('ours');
    await rename(id, 'Ours');
    await ours.find(about(id));
    const rivalScim = new ScimClient(rival, rival.clients.scim.token);
    const their = await rivalScim.createUser({ userName: unique('theirs') });
    await intruder.find(about(their.id));
    expect(intruder.results.map(({ data }) => data.userChanged.userId)).not.toContain(id);
    expect(ours.results.map(({ data }) => data.userChanged.userId)).not.toContain(their.id);
    expect(named.results).toEqual([]);
    for (const subscriber of [ours, intruder, named]) subscriber.stop();
  });

  test('Each field of each event is subject to @scopes.', async () => {
    const token = await adminToken(tenant, 'users:read');
    const subscriber = await listen(graphql, token, {
      query:
        'subscription { userChanged { userId user { userName sessions { id } provisioning { externalId } } } }',
    });
    const { id, userName } = await newUser('narrow');
    const { data, errors = [] } = await subscriber.find(about(id));
    expect(data.userChanged.user).toEqual({ userName, sessions: null, provisioning: null });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code]).sort()).toEqual([
      ['userChanged.user.provisioning', 'FORBIDDEN'],
      ['userChanged.user.sessions', 'FORBIDDEN'],
    ]);
    subscriber.stop();
    const refused = await listen(graphql, token, { query: 'subscription { groupChanged { id } }' });
    await refused.ended;
    expect(refused.results[0]?.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('A user receives events about themselves and about no other user.', async () => {
    const person = await newUser('self');
    const { tokens } = await signIn(demo, tenant, person);
    const subscriber = await listen(graphql, tokens.access_token, {
      query: 'subscription { userChanged { userId user { userName sessions { id } } } }',
    });
    const other = await newUser('other');
    await rename(other.id, 'Other');
    await rename(person.id, 'Myself');
    const { data, errors } = await subscriber.find(() => true);
    expect(errors).toBeUndefined();
    expect(data.userChanged).toMatchObject({ userId: person.id, user: { userName: person.userName } });
    subscriber.stop();
  });

  test('The subscriptions of an offboarded user are closed, and cannot be opened again.', async () => {
    const person = await newUser('leaver');
    const { tokens } = await signIn(demo, tenant, person);
    const query = 'subscription { userChanged { userId kind } }';
    const stream = await listen(graphql, tokens.access_token, { query });
    const socket = connect(graphql, { authorization: `Bearer ${tokens.access_token}` });
    await socket.acknowledged;
    socket.subscribe({ query });
    await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
    const [{ code }] = await Promise.all([socket.closed, stream.ended]);
    expect(code).toBe(4401);
    expect(stream.results.at(-1)?.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    expect((await connect(graphql, { authorization: `Bearer ${tokens.access_token}` }).closed).code).toBe(
      4401,
    );
  });
});

describe('resumed subscriptions', () => {
  test('A subscription resumes by Last-Event-ID over server-sent events and by extensions over a WebSocket.', async () => {
    const { id } = await newUser('resumed');
    const subscription = {
      query: 'subscription ($id: ID!) { userChanged(ids: [$id]) { id version } }',
      variables: { id },
    };
    const first = await listen(graphql, admin, subscription);
    await rename(id, 'One');
    const last = (await first.find(() => true)).extensions?.eventId ?? '';
    expect(last).not.toBe('');
    first.stop();
    await rename(id, 'Two');
    await rename(id, 'Three');
    const again = await listen(graphql, admin, subscription, last);
    const socket = connect(graphql, { authorization: `Bearer ${admin}` });
    const over = socket.subscribe({ ...subscription, extensions: { lastEventId: last } });
    await rename(id, 'Four');
    const versions = first.results.map(({ data }) => data.userChanged.version);
    const expected = [1, 2, 3].map((more) => versions[0] + more);
    for (const subscriber of [again, over]) {
      await subscriber.find(({ data }) => data?.userChanged.version === expected[2]);
      expect(subscriber.results.map(({ data }) => data.userChanged.version)).toEqual(expected);
    }
    again.stop();
    socket.close();
  });

  test('Server-sent events arrive with the headers and ids that browsers understand.', async () => {
    const abort = new AbortController();
    const { id } = await newUser('raw');
    const response = await fetch(graphql, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        query: 'subscription ($id: ID!) { userChanged(ids: [$id]) { kind } }',
        variables: { id },
      }),
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await rename(id, 'Raw');
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('UPDATED')) break;
    }
    abort.abort();
    expect(text).toMatch(
      /^:\nid: \d+-\d+\n\n[\s\S]*id: (\d+-\d+)\nevent: next\ndata: \{"data":\{"userChanged":\{"kind":"UPDATED"\}\},"extensions":\{"eventId":"\1"\}\}\n\n/,
    );
  });
});

test('A token bound to a key opens a WebSocket with a proof and only with one.', async () => {
  const prover = await Prover.create();
  const answer = await prover.fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${tenant.clients.admin.client_id}:${tenant.clients.admin.client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=users:read',
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const authorization = `DPoP ${token}`;
  expect((await connect(graphql, { authorization }).closed).code).toBe(4401);
  expect((await connect(graphql, { authorization: `Bearer ${token}` }).closed).code).toBe(4401);
  const dpop = await prover.proof('GET', graphql, token);
  const socket = connect(graphql, { authorization, dpop });
  await socket.acknowledged;
  const subscriber = socket.subscribe({ query: 'subscription { userChanged { userId user { userName } } }' });
  let notified: LiveResult | undefined;
  for (let attempt = 0; !notified && attempt < 10; attempt += 1) {
    const { id } = await newUser('bound');
    notified = await subscriber.find(about(id), 1_000).catch(() => undefined);
  }
  expect(notified?.errors).toBeUndefined();
  expect(notified?.data.userChanged.user).not.toBeNull();
  expect((await connect(graphql, { authorization, dpop }).closed).code).toBe(4401);
  socket.close();
});
