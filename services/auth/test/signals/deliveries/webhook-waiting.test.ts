import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { startWebhooking, type Webhooking } from './webhooking.ts';

let w: Webhooking;
beforeAll(async () => {
  // A failed attempt is not retried during a test.
  w = await startWebhooking({ DELIVERY_RETRY_FIRST_SECONDS: '60' });
});
afterAll(() => w.stop());

const mutate = (name: string, type: string, input: object) =>
  w.ask(`mutation($input: ${type}!) { ${name}(input: $input) { problems { code } } }`, { input }, w.admin);

test('A webhook that failed a test is sent the next one immediately.', async () => {
  const { id } = await w.webhook('/tested');
  w.receiver.answer = (_, response) => void response.writeHead(503).end();
  await mutate('testWebhook', 'WebhookInput', { id });
  await w.arrived('/tested');
  w.receiver.answer = (_, response) => void response.writeHead(204).end();
  await mutate('testWebhook', 'WebhookInput', { id });
  const [first, second] = await w.arrived('/tested', 2);
  expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
});

test('Deliveries that wait for a disabled webhook are dead letters, even when it is enabled again immediately.', async () => {
  const person = await w.person('moved');
  const { id } = await w.webhook('/before');
  const states = async () =>
    (
      await w.sql.query<{ state: string; error: string | null }>(
        'SELECT state, last_error AS error FROM auth.deliveries WHERE receiver_id = $1',
        [id],
      )
    ).rows;
  await mutate('updateWebhook', 'UpdateWebhookInput', { id, status: 'PAUSED' });
  await w.change(person.id);
  await eventually(async () => (await states())[0]?.state === 'pending');
  await mutate('updateWebhook', 'UpdateWebhookInput', { id, status: 'DISABLED' });
  await mutate('updateWebhook', 'UpdateWebhookInput', {
    id,
    status: 'ENABLED',
    endpoint: w.receiver.url('/after'),
  });
  expect(await states()).toEqual([{ state: 'dead', error: 'The receiver is disabled.' }]);
  expect(w.receiver.at('/after')).toEqual([]);
});
