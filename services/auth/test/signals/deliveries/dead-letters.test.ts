import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { codesOf } from '../../support/sign-in/asking.ts';
import { startWebhooking, type Webhooking } from './webhooking.ts';

let w: Webhooking;
beforeAll(async () => {
  w = await startWebhooking({ DELIVERY_GIVE_UP_SECONDS: '1' });
});
beforeEach(() => {
  w.receiver.answer = (_, response) => void response.writeHead(204).end();
});
afterAll(() => w.stop());

const list = `query($filter: DeliveryFilter, $first: Int, $after: String) { deliveries(filter: $filter, first: $first, after: $after) {
  totalCount totalCountIsExact pageInfo { hasNextPage endCursor } edges { node { id state type receiverKind receiverId subjectKind subjectId
    user { id } attempts lastStatus lastError nextAttemptAt createdAt finishedAt } } } }`;
const replay = `mutation($input: DeliveryInput!) { replayDelivery(input: $input) { delivery { id state } problems { code message } } }`;
const replayDead = `mutation($input: ReplayDeadDeliveriesInput!) { replayDeadDeliveries(input: $input) {
  replayed problems { code message } } }`;
const discard = `mutation($input: DeliveryInput!) { discardDelivery(input: $input) { id problems { code message } } }`;

const down = (...paths: string[]) => {
  w.receiver.answer = ({ path }, response) => void response.writeHead(paths.includes(path) ? 503 : 204).end();
};

const dead = async (receiverId: string) =>
  (await w.ask(list, { filter: { receiverId, state: 'DEAD' }, first: 100 }, w.admin)).data.deliveries;

/** Returns a webhook with this number of dead letters about one user. */
async function withDeadLetters(path: string, changes: number) {
  down(path);
  const webhook = await w.webhook(path);
  const { id } = await w.person(`told-at-${path}`);
  for (let n = 0; n < changes; n += 1) await w.change(id);
  await eventually(async () => (await dead(webhook.id)).totalCount === changes);
  return { webhook, person: id };
}

describe('dead letters', () => {
  test('A dead letter is listed with its attempts, and delivered with its id when an administrator replays it.', async () => {
    const { webhook, person } = await withDeadLetters('/down', 1);
    const { edges } = await dead(webhook.id);
    const { node } = edges[0];
    expect(node).toMatchObject({
      state: 'DEAD',
      type: 'user.updated',
      receiverKind: 'WEBHOOK',
      receiverId: webhook.id,
      subjectKind: 'USER',
      subjectId: person,
      user: { id: person },
      lastStatus: 503,
      lastError: 'The receiver returned status 503.',
      nextAttemptAt: null,
    });
    expect(node.attempts).toBeGreaterThan(0);
    down();
    const before = w.receiver.at('/down').length;
    const answer = await w.ask(replay, { input: { id: node.id } }, w.admin);
    expect(answer.data.replayDelivery).toEqual({ delivery: { id: node.id, state: 'PENDING' }, problems: [] });
    const received = await w.arrived('/down', before + 1);
    expect(received.at(-1)?.headers['webhook-id']).toBe(node.id);
    expect((await dead(webhook.id)).totalCount).toBe(0);
    const log = await w.ask(
      'query($id: ID!) { securityLog(filter: { resourceId: $id }) { edges { node { action } } } }',
      { id: node.id },
      w.admin,
    );
    expect(log.data.securityLog.edges).toEqual([{ node: { action: 'delivery.replayed' } }]);
  });

  test('All dead letters of a receiver are delivered in order when an administrator replays them.', async () => {
    const { webhook } = await withDeadLetters('/down-for-long', 4);
    down();
    const before = w.receiver.at('/down-for-long').length;
    const input = { receiverId: webhook.id.toUpperCase() };
    expect((await dead(input.receiverId)).totalCount).toBe(4);
    const answer = await w.ask(replayDead, { input }, w.admin);
    expect(answer.data.replayDeadDeliveries).toEqual({ replayed: 4, problems: [] });
    const received = await w.arrived('/down-for-long', before + 4);
    const versions = received.slice(before).map(({ body }) => JSON.parse(body).data.version);
    expect(versions).toEqual([2, 3, 4, 5]);
    const since = new Date(Date.now() + 60_000).toISOString();
    const none = await w.ask(replayDead, { input: { receiverId: webhook.id, since } }, w.admin);
    expect(none.data.replayDeadDeliveries.replayed).toBe(0);
  });

  test('A dead letter is deleted when an administrator discards it.', async () => {
    const { webhook } = await withDeadLetters('/discarded', 1);
    const { id } = (await dead(webhook.id)).edges[0].node;
    expect((await w.ask(discard, { input: { id } }, w.admin)).data.discardDelivery).toEqual({
      id,
      problems: [],
    });
    expect((await dead(webhook.id)).totalCount).toBe(0);
    expect((await w.ask(replay, { input: { id } }, w.admin)).data.replayDelivery.problems).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
  });

  test('A dead letter of a disabled or removed receiver cannot be replayed, nor can a delivery that is still pending.', async () => {
    const { webhook } = await withDeadLetters('/no-more', 2);
    const [first, second] = (await dead(webhook.id)).edges.map(
      ({ node }: { node: { id: string } }) => node.id,
    );
    const update =
      'mutation($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { id } } }';
    await w.ask(update, { input: { id: webhook.id, status: 'PAUSED' } }, w.admin);
    await w.ask(replay, { input: { id: first } }, w.admin);
    expect((await w.ask(replay, { input: { id: first } }, w.admin)).data.replayDelivery.problems).toEqual([
      { code: 'CONFLICT', message: 'The delivery is still pending.' },
    ]);
    await w.ask(update, { input: { id: webhook.id, status: 'DISABLED' } }, w.admin);
    for (const answer of [
      (await w.ask(replay, { input: { id: second } }, w.admin)).data.replayDelivery,
      (await w.ask(replayDead, { input: { receiverId: webhook.id } }, w.admin)).data.replayDeadDeliveries,
    ]) {
      expect(answer.problems).toEqual([
        { code: 'CONFLICT', message: 'The receiver is disabled: enable it first.' },
      ]);
    }
    // The message that waited during the pause is a dead letter again and can be replayed later.
    await eventually(async () => (await dead(webhook.id)).totalCount === 2);
    const remove = 'mutation($input: WebhookInput!) { deleteWebhook(input: $input) { id } }';
    await w.ask(remove, { input: { id: webhook.id } }, w.admin);
    expect((await w.ask(replay, { input: { id: second } }, w.admin)).data.replayDelivery.problems).toEqual([
      { code: 'CONFLICT', message: 'The receiver was removed.' },
    ]);
  });

  test('A dead letter of another tenant cannot be read, replayed or discarded.', async () => {
    const { webhook, person } = await withDeadLetters('/not-theirs', 1);
    const { id } = (await dead(webhook.id)).edges[0].node;
    const one = 'query($id: ID!) { delivery(id: $id) { id } }';
    expect((await w.ask(one, { id }, w.rivalAdmin)).data.delivery).toBeNull();
    for (const filter of [null, { receiverId: webhook.id }, { subjectId: person }, { state: 'DEAD' }]) {
      expect(JSON.stringify(await w.ask(list, { filter }, w.rivalAdmin))).not.toContain(id);
    }
    for (const which of [id, uuidv7(), 'no id']) {
      const input = { id: which };
      expect((await w.ask(replay, { input }, w.rivalAdmin)).data.replayDelivery.problems).toMatchObject([
        { code: 'NOT_FOUND' },
      ]);
      expect((await w.ask(discard, { input }, w.rivalAdmin)).data.discardDelivery.problems).toMatchObject([
        { code: 'NOT_FOUND' },
      ]);
    }
    const all = await w.ask(replayDead, { input: { receiverId: webhook.id } }, w.rivalAdmin);
    expect(all.data.replayDeadDeliveries).toMatchObject({
      replayed: null,
      problems: [{ code: 'NOT_FOUND' }],
    });
    expect((await dead(webhook.id)).totalCount).toBe(1);
  });

  test('A dead letter is replayed only with webhooks:write, and is readable by auditors.', async () => {
    const auditor = await w.machine('webhooks:read');
    expect((await w.ask(list, {}, auditor)).data.deliveries.totalCount).toBeGreaterThan(0);
    for (const mutation of [replay, discard]) {
      expect(codesOf(await w.ask(mutation, { input: { id: uuidv7() } }, auditor))).toEqual(['FORBIDDEN']);
    }
    expect(codesOf(await w.ask(list, {}, await w.machine('users:read')))).toEqual(['FORBIDDEN']);
  });
});

test('Lists of dead letters are filtered by receiver, kind, state, user, type and time, and page newest first.', async () => {
  const { id: receiverId } = await w.webhook('/narrow', ['USER_UPDATED', 'USER_DEACTIVATED']);
  const [one, two] = [await w.person('narrow-one'), await w.person('narrow-two')];
  await w.change(one.id);
  await w.change(two.id);
  await w.service.directory.change('demo', one.id, 'user.deactivated');
  await w.arrived('/narrow', 3);
  const narrowed = async (filter: object, page: object = {}) =>
    (await w.ask(list, { filter: { receiverId, ...filter }, ...page }, w.admin)).data.deliveries;
  expect(await narrowed({})).toMatchObject({ totalCount: 3, totalCountIsExact: true });
  expect((await narrowed({ subjectId: one.id.toUpperCase() })).totalCount).toBe(2);
  expect((await narrowed({ type: 'USER_DEACTIVATED', receiverKind: 'WEBHOOK' })).totalCount).toBe(1);
  expect((await narrowed({ receiverKind: 'SSF' })).totalCount).toBe(0);
  expect((await narrowed({ since: new Date(Date.now() + 60_000).toISOString() })).totalCount).toBe(0);
  await eventually(async () => (await narrowed({ state: 'DELIVERED' })).totalCount === 3);
  const first = await narrowed({}, { first: 2 });
  expect(first.edges[0].node.id > first.edges[1].node.id).toBe(true);
  const rest = await narrowed({}, { first: 2, after: first.pageInfo.endCursor });
  expect([rest.edges.length, rest.pageInfo.hasNextPage]).toEqual([1, false]);
});
