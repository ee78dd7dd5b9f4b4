import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { codesOf } from '../../support/sign-in/asking.ts';
import { rival } from '../../support/sign-in/service.ts';
import { startWebhooking, type Webhooking } from './webhooking.ts';

let w: Webhooking;
beforeAll(async () => {
  w = await startWebhooking();
});
afterAll(() => w.stop());

const update = `mutation($input: UpdateWebhookInput!) { updateWebhook(input: $input) {
  webhook { id name endpoint types status version } problems { code path ... on VersionConflict { currentVersion } } } }`;
const list = `query($first: Int, $after: String, $last: Int, $before: String) {
  webhooks(first: $first, after: $after, last: $last, before: $before) {
    totalCount pageInfo { hasNextPage hasPreviousPage endCursor startCursor } edges { node { id name } } } }`;
const one = 'query($id: ID!) { webhook(id: $id) { id name status } }';
const withId = (mutation: string, input = 'WebhookInput', fields = 'problems { code }') =>
  `mutation($input: ${input}!) { ${mutation}(input: $input) { ${fields} } }`;

interface LogEntry {
  action: string;
  changes: object[];
}

/** Returns the security log entries of a webhook, newest first. */
async function logOf(id: string): Promise<LogEntry[]> {
  const { data } = await w.ask(
    `query($id: ID!) { securityLog(filter: { resourceId: $id }) { edges { node { action changes { attribute before after } } } } }`,
    { id },
    w.admin,
  );
  return data.securityLog.edges.map(({ node }: { node: LogEntry }) => node);
}

describe('webhooks', () => {
  test('A webhook is created, read, changed and removed; its secret is shown at creation and never again.', async () => {
    const made = await w.create({
      name: ' Payroll ',
      endpoint: w.receiver.url('/crud'),
      types: ['USER_UPDATED'],
    });
    const { webhook, secret, problems } = made.data.createWebhook;
    expect(problems).toEqual([]);
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      name: 'Payroll',
      status: 'ENABLED',
      types: ['USER_UPDATED'],
      version: 1,
    });
    const changes = { name: 'HR', status: 'PAUSED', types: ['USER_DELETED', 'GROUP_CREATED'] };
    const changed = await w.ask(update, { input: { id: webhook.id, ...changes, version: 1 } }, w.admin);
    expect(changed.data.updateWebhook.webhook).toMatchObject({ ...changes, version: 2 });
    const late = await w.ask(update, { input: { id: webhook.id, name: 'Late', version: 1 } }, w.admin);
    expect(late.data.updateWebhook).toMatchObject({
      webhook: null,
      problems: [{ code: 'VERSION_CONFLICT', currentVersion: 2 }],
    });
    const rotated = await w.ask(
      `mutation($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret } }`,
      { input: { id: webhook.id } },
      w.admin,
    );
    const shown = JSON.stringify([
      changed,
      await w.ask(list, {}, w.admin),
      await w.ask(one, { id: webhook.id }, w.admin),
    ]);
    for (const hidden of [secret, rotated.data.rotateWebhookSecret.secret])
      expect(shown).not.toContain(hidden.slice(6));
    const removed = await w.ask(
      withId('deleteWebhook', undefined, 'id problems { code }'),
      { input: { id: webhook.id } },
      w.admin,
    );
    expect(removed.data.deleteWebhook).toEqual({ id: webhook.id, problems: [] });
    expect((await w.ask(one, { id: webhook.id }, w.admin)).data.webhook).toBeNull();
    const entries = await logOf(webhook.id);
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.updated',
      'webhook.created',
    ]);
    expect(entries[3]?.changes).toContainEqual({ attribute: 'secret', before: null, after: '"********"' });
    expect(JSON.stringify(entries)).not.toContain(secret.slice(6));
  });

  test('A webhook is created once for an idempotency key, and the repeated request does not show the secret.', async () => {
    const input = {
      name: 'once',
      endpoint: w.receiver.url('/once'),
      types: ['USER_CREATED'],
      idempotencyKey: uuidv7(),
    };
    const answers = await Promise.all([w.create(input), w.create(input), w.create(input)]);
    const made = answers.map(({ data }) => data.createWebhook);
    expect(new Set(made.map(({ webhook }) => webhook.id)).size).toBe(1);
    expect(made.filter(({ secret }) => secret !== null)).toHaveLength(1);
    expect(made.filter(({ repeated }) => repeated)).toHaveLength(2);
  });

  test.each([
    ['a link-local address', { endpoint: 'http://169.254.169.254/latest' }, 'The address is not public.'],
    [
      'credentials in it',
      { endpoint: 'https://me:secret@example.com/' },
      'The address must not contain credentials.',
    ],
    ['another scheme', { endpoint: 'ftp://example.com/' }, 'The address must use https.'],
    ['no address', { endpoint: 'hook' }, 'The address is not a URL.'],
    ['no types', { types: [] }, 'types must contain at least one event type.'],
    ['no name', { name: ' ' }, 'name must have 1 to 200 printable characters.'],
  ])('A webhook with %s is rejected with a reason.', async (_, wrong, message) => {
    const input = { name: 'bad', endpoint: w.receiver.url(), types: ['USER_CREATED'], ...wrong };
    const { data } = await w.create(input);
    expect(data.createWebhook).toMatchObject({
      webhook: null,
      secret: null,
      problems: [{ code: 'INVALID_INPUT', message }],
    });
  });

  test('A webhook is created and changed only with write scopes and the scopes to read the subscribed events.', async () => {
    const reader = await w.machine('webhooks:read');
    const blind = await w.machine('webhooks:read webhooks:write');
    const input = { name: 'x', endpoint: w.receiver.url('/x'), types: ['USER_CREATED'] };
    expect(codesOf(await w.create(input, reader))).toEqual(['FORBIDDEN']);
    expect(codesOf(await w.create(input, blind))).toEqual(['FORBIDDEN']);
    expect(
      codesOf(
        await w.create(
          { ...input, types: ['SESSION_REVOKED'] },
          await w.machine('webhooks:write users:read'),
        ),
      ),
    ).toEqual(['FORBIDDEN']);
    const { id } = await w.webhook('/x');
    for (const change of [{ endpoint: w.receiver.url('/y') }, { types: ['GROUP_CREATED'] }]) {
      expect(codesOf(await w.ask(update, { input: { id, ...change } }, blind))).toEqual(['FORBIDDEN']);
    }
    // Changes that send less, or nothing, need only the scope to write.
    expect(
      codesOf(await w.ask(update, { input: { id, name: 'y', status: 'PAUSED' } }, blind)),
    ).toBeUndefined();
    expect((await w.ask(one, { id }, reader)).data.webhook.name).toBe('y');
    expect(codesOf(await w.ask(list, {}, await w.machine('users:read')))).toEqual(['FORBIDDEN']);
  });

  test('A webhook of another tenant cannot be read, changed, tested or removed, as if it did not exist.', async () => {
    const { id } = await w.webhook('/ours');
    expect((await w.ask(one, { id }, w.rivalAdmin)).data.webhook).toBeNull();
    for (const [mutation, input, type] of [
      ['updateWebhook', { id, name: 'theirs' }, 'UpdateWebhookInput'],
      ['rotateWebhookSecret', { id }, 'RotateWebhookSecretInput'],
      ['testWebhook', { id }, 'WebhookInput'],
      ['deleteWebhook', { id }, 'WebhookInput'],
    ] as const) {
      for (const which of [id, uuidv7(), 'no id']) {
        const answer = await w.ask(withId(mutation, type), { input: { ...input, id: which } }, w.rivalAdmin);
        expect(answer.data[mutation].problems).toEqual([{ code: 'NOT_FOUND' }]);
      }
    }
    expect((await w.ask(one, { id }, w.admin)).data.webhook).toMatchObject({
      name: 'at /ours',
      status: 'ENABLED',
    });
    const rivals = await w.ask(list, {}, w.rivalAdmin);
    expect(JSON.stringify(rivals)).not.toContain(id);
  });

  test('The list of webhooks pages in both directions.', async () => {
    const by = await w.machine('webhooks:read webhooks:write users:read', rival);
    const ids: string[] = [];
    for (const path of ['/1', '/2', '/3']) ids.push((await w.webhook(path, ['USER_CREATED'], { by })).id);
    const page = async (args: object) => (await w.ask(list, args, by)).data.webhooks;
    const idsOf = (found: { edges: { node: { id: string } }[] }) => found.edges.map(({ node }) => node.id);
    const first = await page({ first: 2 });
    expect([idsOf(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([ids.slice(0, 2), 3, true]);
    const rest = await page({ first: 2, after: first.pageInfo.endCursor });
    expect([idsOf(rest), rest.pageInfo.hasNextPage]).toEqual([ids.slice(2), false]);
    const back = await page({ last: 1, before: rest.pageInfo.startCursor });
    expect([idsOf(back), back.pageInfo.hasPreviousPage]).toEqual([[ids[1]], true]);
  });

  test('A webhook is sent a test on request, regardless of its subscriptions.', async () => {
    const { id } = await w.webhook('/ping', ['GROUP_DELETED']);
    const answer = await w.ask(
      withId('testWebhook', undefined, 'deliveryId webhook { id }'),
      { input: { id } },
      w.admin,
    );
    const [message] = await w.arrived('/ping');
    expect(message?.headers['webhook-id']).toBe(answer.data.testWebhook.deliveryId);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { tenant: 'demo', webhookId: id },
    });
    const query =
      'query($id: ID!) { delivery(id: $id) { state type receiverId attempts lastStatus user { id } } }';
    const delivery = () => w.ask(query, { id: answer.data.testWebhook.deliveryId }, w.admin);
    await eventually(async () => (await delivery()).data.delivery.state === 'DELIVERED');
    expect((await delivery()).data.delivery).toEqual({
      state: 'DELIVERED',
      type: 'webhook.test',
      receiverId: id,
      attempts: 1,
      lastStatus: 204,
      user: null,
    });
  });
});
