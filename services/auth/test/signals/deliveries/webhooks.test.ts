import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { Webhook } from 'standardwebhooks';
import { tenant } from '../../support/sign-in/service.ts';
import type { Received } from './receiving.ts';
import { startWebhooking, type Webhooking } from './webhooking.ts';

let w: Webhooking;
beforeAll(async () => {
  w = await startWebhooking();
});
afterAll(() => w.stop());

/** Verifies a message as a receiver does, by the text of Standard Webhooks 1.0. */
function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}

const idOf = (received: Received | undefined): string => String(received?.headers['webhook-id']);

const rotate = `mutation($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret webhook { version } } }`;

describe('the message of a webhook', () => {
  test('A message follows Standard Webhooks: id, timestamp and a verifiable signature over type, timestamp and data.', async () => {
    const { secret } = await w.webhook('/spec');
    const { id } = await w.person('ann-of-the-spec');
    const before = Math.floor(Date.now() / 1000);
    await w.change(id);
    const [message] = await w.arrived('/spec');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(message?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(Number(message?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
    expect(isSignedBy(secret, message as Received)).toBe(true);
    expect(isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, message as Received)).toBe(false);
    // The reference library throws for an invalid message.
    const verified = new Webhook(secret).verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    );
    expect(verified).toEqual({
      type: 'user.updated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        tenant,
        subject: { kind: 'user', id },
        actor: { kind: 'system', id: 'test' },
        version: 2,
        user: expect.objectContaining({ id, userName: 'ann-of-the-spec', active: true }),
      },
    });
    expect(message?.body).not.toContain('credentialTicket');
  });

  test('A message carries two signatures during a rotation of the secret, and one afterwards.', async () => {
    const { id: webhookId, secret: old } = await w.webhook('/rotating');
    const { id } = await w.person('rotating');
    const rotated = await w.ask(rotate, { input: { id: webhookId, overlapSeconds: 60 } }, w.admin);
    const { secret } = rotated.data.rotateWebhookSecret;
    expect(secret).not.toBe(old);
    await w.change(id);
    const [both] = (await w.arrived('/rotating')) as [Received];
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect([isSignedBy(old, both), isSignedBy(secret, both)]).toEqual([true, true]);
    const at_once = await w.ask(rotate, { input: { id: webhookId, overlapSeconds: 0 } }, w.admin);
    await w.change(id);
    const [, one] = (await w.arrived('/rotating', 2)) as [Received, Received];
    expect([isSignedBy(secret, one), isSignedBy(at_once.data.rotateWebhookSecret.secret, one)]).toEqual([
      false,
      true,
    ]);
  });

  test('A message never carries the ticket of a password.', async () => {
    await w.webhook('/ticket');
    const ticket = uuidv7();
    const { id } = await w.person('with-a-new-password');
    await w.service.directory.change(tenant, id, 'user.updated', {
      ticket,
    } as object);
    const [message] = await w.arrived('/ticket');
    expect(JSON.stringify(message)).not.toContain(ticket);
  });
});

describe('the response to a message', () => {
  test('A response other than 2xx causes a retry with the same id and body and a new signature.', async () => {
    const { secret } = await w.webhook('/busy');
    const { id } = await w.person('told-twice');
    let asked = 0;
    w.receiver.answer = ({ path }, response) => {
      asked += path === '/busy' ? 1 : 0;
      response.writeHead(path === '/busy' && asked === 1 ? 503 : 204).end();
    };
    await w.change(id);
    const [first, second] = (await w.arrived('/busy', 2)) as [Received, Received];
    expect(idOf(second)).toBe(idOf(first));
    expect(second.body).toBe(first.body);
    expect(isSignedBy(secret, second)).toBe(true);
    expect(second.at - first.at).toBeGreaterThan(700);
    await eventually(async () => (await w.delivery(idOf(first))).state === 'delivered');
    expect(await w.delivery(idOf(first))).toMatchObject({ attempts: 2, last_status: 204, last_error: null });
  });

  test.each([
    ['busy, until then', 429, { 'retry-after': '3600' }, 'The receiver returned status 429.', 3_600],
    [
      'a redirect',
      302,
      { location: 'http://127.0.0.1:1/elsewhere' },
      'The receiver returned a redirect (302); redirects are not followed.',
      1,
    ],
    ['not found', 404, {}, 'The receiver returned status 404.', 1],
  ])(
    'A delivery is retried, with the reason recorded, after this response: %s.',
    async (name, status, headers, error, seconds) => {
      const path = `/answers/${status}`;
      await w.webhook(path);
      const { id } = await w.person(`told-${status}-${name.length}`);
      w.receiver.answer = (request, response) =>
        void response.writeHead(request.path === path ? status : 204, headers).end();
      await w.change(id);
      const [message] = await w.arrived(path);
      await eventually(async () => (await w.delivery(idOf(message))).last_status === status);
      const row = await w.delivery(idOf(message));
      expect(row).toMatchObject({ last_error: error, last_status: status, state: 'pending' });
      expect(((row.due_at as Date).getTime() - Date.now()) / 1000).toBeGreaterThan(seconds - 5);
      w.receiver.answer = (_, response) => void response.writeHead(204).end();
    },
  );

  test('A late response and a cut connection are failures; an endless response that began with 200 is a success.', async () => {
    for (const path of ['/hangs', '/cuts', '/endless']) await w.webhook(path);
    const { id } = await w.person('told-to-nobody');
    w.receiver.answer = ({ path }, response) => {
      if (path === '/cuts') response.destroy();
      else if (path === '/endless') {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
        response.on('close', () => clearInterval(timer));
      } else if (path !== '/hangs') response.writeHead(204).end();
    };
    await w.change(id);
    const [[hung], [cut], [endless]] = await Promise.all([
      w.arrived('/hangs'),
      w.arrived('/cuts'),
      w.arrived('/endless'),
    ]);
    await eventually(async () => (await w.delivery(idOf(hung))).last_error !== null);
    expect(await w.delivery(idOf(hung))).toMatchObject({ last_error: 'The request timed out.' });
    expect(await w.delivery(idOf(cut))).toMatchObject({ last_error: 'The server did not respond.' });
    expect(await w.delivery(idOf(endless))).toMatchObject({ state: 'delivered' });
    w.receiver.answer = (_, response) => void response.writeHead(204).end();
  });

  test('A response of 410 disables the webhook, and this is recorded.', async () => {
    const { id: webhookId } = await w.webhook('/gone');
    const { id } = await w.person('told-to-the-gone');
    w.receiver.answer = ({ path }, response) => void response.writeHead(path === '/gone' ? 410 : 204).end();
    await w.change(id);
    const query = 'query($id: ID!) { webhook(id: $id) { status statusReason } }';
    await eventually(
      async () => (await w.ask(query, { id: webhookId }, w.admin)).data.webhook.status === 'DISABLED',
    );
    const { data } = await w.ask(query, { id: webhookId }, w.admin);
    expect(data.webhook.statusReason).toBe('The receiver returned status 410 (Gone).');
    await w.change(id);
    await sleep(100);
    expect(w.receiver.at('/gone')).toHaveLength(1);
  });
});

test('Secrets are encrypted at rest, and no log contains them or the contents of messages.', async () => {
  const { secret, id: webhookId } = await w.webhook('/quiet');
  const { id } = await w.person('carla@private.example');
  w.receiver.answer = ({ path }, response) => void response.writeHead(path === '/quiet' ? 500 : 204).end();
  await w.change(id);
  const [message] = (await w.arrived('/quiet')) as [Received];
  await eventually(async () => (await w.delivery(idOf(message))).last_status === 500);
  const plain = secret.slice('whsec_'.length);
  const { rows } = await w.sql.query<{ row: string }>(
    `SELECT row_to_json(r)::text || encode(secrets, 'escape') AS row FROM auth.receivers r WHERE id = $1
     UNION ALL SELECT row_to_json(l)::text FROM auth.security_log l WHERE resource_id = $1::text`,
    [webhookId],
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const kept of [...rows.map(({ row }) => row), w.service.logs.join('\n')]) {
    expect(kept).not.toContain(plain);
    expect(kept).not.toContain(Buffer.from(plain, 'base64').toString('hex'));
  }
  for (const said of ['private.example', String(message.headers['webhook-signature'])]) {
    expect(w.service.logs.join('\n')).not.toContain(said);
  }
});
