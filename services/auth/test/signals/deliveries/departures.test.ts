import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventOfType, NewEvent } from '@ostiary/events';
import { eventually } from '@ostiary/service/testing';
import { type Asking, codesOf, type GraphAnswer, startAsking } from '../../support/sign-in/asking.ts';
import { callback, rival, signInAndAllow, tenant, token, verifier } from '../../support/sign-in/service.ts';
import { factsOf, listen } from './facts.ts';
import { LogoutReceiver } from './logout-receiver.ts';

let asking: Asking;
let auditor: string;
const receiver = new LogoutReceiver();

beforeAll(async () => {
  asking = await startAsking({ OUTGOING_ALLOW_PRIVATE: 'true' });
  auditor = await asking.machine('audit:read');
  await listen(asking.service);
  await receiver.start();
});
afterAll(async () => {
  receiver.stop();
  await asking.service.stop();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const query = `query ($id: ID!) { departures(userId: $id) {
  id: securityEventId userId trigger leftAt closedAt directoryVersion eventId epoch traceId
  actor { kind id: actorId onBehalfOf } doors { name count closedAt }
  deliveries { id: deliveryId kind factType receiverId receiverName state attempts lastStatus lastError createdAt deliveredAt } } }`;

// biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
const read = async (id: string, as = auditor): Promise<any[]> =>
  (await asking.ask(query, { id }, as)).data.departures;

/** Creates a user with a session, an offline grant and a personal access token. */
async function person(userName: string): Promise<string> {
  const { deps } = asking.service;
  const { id } = await asking.service.person(userName);
  const app = await asking.service.client({
    client_name: 'Told App',
    token_endpoint_auth_method: 'client_secret_post',
    require_consent: false,
    backchannel_logout_uri: receiver.uri,
  });
  receiver.registered = {
    issuer: deps.issuer(tenant),
    clientId: app.clientId,
    alg: 'RS256',
    jwksUri: `${asking.service.origin}/t/${tenant}/jwks`,
  };
  const answer = await signInAndAllow(asking.service.browser(), app, userName);
  const { body } = await token(asking.service, app, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
    client_secret: app.secret ?? '',
  });
  expect(body.error).toBeUndefined();
  const subject = await deps.subjects.find(tenant, id);
  if (!subject) throw new Error('nobody');
  await deps.apiTokens.createPersonal(tenant, subject, { name: 'script', scopes: ['openid'] });
  return id;
}

const leaving = (id: string, type: 'user.deactivated' | 'user.deleted'): NewEvent =>
  asking.service.directory.changed(tenant, id, type, { actor: { kind: 'connector', id: 'hr-system' } });

/** Number of closed access paths of the user below; null where they are not counted. */
const closedAccessPaths = {
  SESSIONS: 1,
  GRANTS: 1,
  REFRESH_TOKENS: 1,
  DELEGATIONS: 0,
  PERSONAL_ACCESS_TOKENS: 1,
  INVITATIONS: 0,
  CLIENTS: 0,
  SERVICE_ACCOUNTS: 0,
  API_KEYS: 0,
  INITIAL_ACCESS_TOKENS: 0,
  KNOWN_SECRETS: 0,
  ACCESS_TOKENS: null,
  EXCHANGED_TOKENS: null,
  AUTHORIZATION_CODES: null,
  DEVICE_CODES: null,
  SUBSCRIPTIONS: null,
  SIGN_IN: null,
};

describe('the offboarding report', () => {
  test('The offboarding report shows each access path with its count and closing time, the actor and the notified receivers.', async () => {
    const id = await person('shown');
    const event = leaving(id, 'user.deactivated');
    await asking.service.directory.send([event, { ...event, id: crypto.randomUUID() }]);
    await eventually(async () =>
      (await read(id))[0]?.deliveries.some((one: { state: string }) => one.state === 'DELIVERED'),
    );
    const [departure, ...more] = await read(id);
    expect(more).toEqual([]);
    expect(departure).toMatchObject({
      userId: id,
      trigger: 'USER_DEACTIVATED',
      leftAt: expect.any(String),
      directoryVersion: '2',
      epoch: 1,
      actor: { kind: 'CONNECTOR', id: 'hr-system', onBehalfOf: null },
    });
    expect(departure.doors).toEqual(
      Object.entries(closedAccessPaths).map(([name, count]) => ({
        name,
        count,
        closedAt: departure.closedAt,
      })),
    );
    const notified = departure.deliveries.filter(
      ({ kind }: { kind: string }) => kind === 'BACKCHANNEL_LOGOUT',
    );
    expect(notified).toEqual([
      expect.objectContaining({
        id: receiver.tokens.at(-1)?.jti,
        factType: null,
        receiverName: 'Told App',
        state: 'DELIVERED',
        attempts: 1,
        lastStatus: 200,
        deliveredAt: expect.any(String),
      }),
    ]);
    const facts = departure.deliveries.filter(({ kind }: { kind: string }) => kind === 'WEBHOOK');
    expect(facts.map((one: { factType: string; state: string }) => [one.factType, one.state])).toEqual(
      expect.arrayContaining([
        ['session.revoked', 'PENDING'],
        ['user.doors_closed', 'PENDING'],
      ]),
    );
    for (const { data, actor } of (await factsOf(asking.service, id)).slice(1)) {
      expect(data).toMatchObject({
        reason: 'departure',
        initiatingEntity: 'system',
        departureId: departure.id,
      });
      expect(actor).toEqual({ kind: 'connector', id: 'hr-system' });
    }
  });

  test('The offboarding report is kept for deleted users, and distinguishes repeated offboardings of a user.', async () => {
    const id = await person('twice');
    const isAt = (version: bigint) =>
      eventually(async () => (await asking.service.deps.subjects.find(tenant, id))?.version === version);
    await asking.service.directory.change(tenant, id, 'user.deactivated');
    await isAt(2n);
    await asking.service.directory.change(tenant, id, 'user.reactivated');
    await isAt(3n);
    await asking.service.directory.send([leaving(id, 'user.deleted')]);
    await eventually(async () => (await read(id)).length === 2);
    const [second, first] = await read(id);
    expect([first.trigger, second.trigger]).toEqual(['USER_DEACTIVATED', 'USER_DELETED']);
    expect([first.epoch, second.epoch]).toEqual([1, 2]);
    // The second offboarding finds nothing that the first one already closed.
    const counts = second.doors.map(({ count }: { count: number | null }) => count);
    expect(counts.filter((count: number | null) => count !== null)).toEqual(Array(11).fill(0));
    const ids = (one: { deliveries: { id: string }[] }) => one.deliveries.map((delivery) => delivery.id);
    expect(ids(first).filter((one) => ids(second).includes(one))).toEqual([]);
  });

  test('The offboarding report contains the trace of the change that offboarded the user, also in a batch with others.', async () => {
    const ids = [await person('traced'), await person('untraced')];
    await asking.service.deps.database.transaction(async (tx) => {
      const { handleDirectoryEvents } = await import(
        '../../../src/lifecycle/directory-events/directory-events.jobs.ts'
      );
      const events = ids.map((id, n) => {
        const traced = n === 0 && { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
        const { payload, ...event } = leaving(id, 'user.deactivated') as EventOfType<'user.deactivated'>;
        const departure = payload.departure && { ...payload.departure, ...traced };
        return {
          ...event,
          id: crypto.randomUUID(),
          occurredAt: new Date().toISOString(),
          ...traced,
          payload: { ...payload, departure },
        };
      });
      await handleDirectoryEvents(events as never, tx, asking.service.deps);
    });
    const traces = await Promise.all(ids.map(async (id) => (await read(id))[0].traceId));
    expect(traces).toEqual([traceId, null]);
    expect((await factsOf(asking.service, ids[0] ?? '')).at(-1)?.traceparent).toContain(traceId);
  });

  test('The offboarding report is also a field of the user for auditors, and no other caller can read either.', async () => {
    const id = await person('read');
    await asking.service.directory.change(tenant, id, 'user.deactivated');
    await eventually(async () => (await read(id)).length === 1);
    const field = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { departures { securityEventId } } } }`;
    const of = { of: [{ __typename: 'User', id }] };
    const answer: GraphAnswer = await asking.ask(field, of, auditor);
    expect(answer.data._entities[0].departures).toHaveLength(1);
    const { accessToken } = await asking.signedIn('nosy');
    const administrator = await asking.machine('users:read sessions:read');
    for (const as of [accessToken, administrator]) {
      expect(codesOf(await asking.ask(query, { id }, as))).toEqual(['FORBIDDEN']);
    }
    expect(await read(id, await asking.machine('audit:read', rival))).toEqual([]);
    expect(await read('not an id')).toEqual([]);
  });
});

test('Offboardings are counted by trigger, and timed from the change to the commit and to the push.', async () => {
  const { metrics: registry } = asking.service.kit;
  /** Returns the sum of a counter, or the count of a histogram. */
  const total = async (name: string): Promise<number> => {
    const lines = (await registry.metrics()).split('\n');
    return lines
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_count`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const names = ['departures_total', 'departure_close_seconds', 'departure_publish_seconds'];
  const counts = () => Promise.all(names.map(total));
  const before = await counts();
  const id = await person('measured');
  await asking.service.directory.change(tenant, id, 'user.deactivated');
  await eventually(async () => (await counts()).every((count, n) => count === (before[n] ?? 0) + 1));
  const text = await registry.metrics();
  expect(text).toMatch(/departures_total\{trigger="user.deactivated"/);
  expect(text).toMatch(/^revocation_list_age_seconds/m);
});
