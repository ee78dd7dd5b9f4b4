import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { deliveryOutbox } from '../../../src/signals/data/outbox.ts';
import { Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// An address that an offboarded user supplied and a signing secret that the user knows end: the receiver is paused and
// its events wait.

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

const sql = () => service.deps.database.sql;
const leave = (id: string, of = tenant) => service.directory.change(of, id, 'user.deactivated');
const address = () => `https://${uuidv7()}.example/`;
let counter = 0;
const colleagues = async (of = tenant) => {
  counter += 1;
  return {
    gone: await programs.administrator(`gone-${counter}`, of),
    colleague: await programs.administrator(`stays-${counter}`, of),
  };
};

const shown = 'webhook { id status statusReason } problems { message }';
async function change(by: string, name: string, input: object, more = '') {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} ${more} } }`;
  return (await programs.ask(by, query, input))[name];
}
const create = async (by: string) =>
  (
    await change(
      by,
      'createWebhook',
      { name: 'Hook', endpoint: address(), types: ['USER_UPDATED'] },
      'secret',
    )
  ).webhook.id as string;
const webhook = (id: string, of = tenant) => service.deps.webhooks.find(of, id);
const isPaused =
  (id: string, of = tenant) =>
  async () =>
    (await webhook(id, of))?.status === 'paused';

test('A webhook of an offboarded user is paused without its secret; its events wait until a colleague rotates and enables it.', async () => {
  const { gone, colleague } = await colleagues();
  const id = await create(gone.accessToken);
  await leave(gone.id);
  await eventually(isPaused(id));
  expect(await webhook(id)).toMatchObject({ secrets: null, statusReason: expect.stringContaining('secret') });
  await service.deps.database.transaction((tx) =>
    deliveryOutbox.append(tx, tenant, [
      {
        receiverKind: 'webhook',
        receiverId: id,
        subjectKey: `user:${uuidv7()}`,
        payload: { type: 'waiting' },
      },
    ]),
  );
  const enable = () => change(colleague.accessToken, 'updateWebhook', { id, status: 'ENABLED' });
  expect((await enable()).problems).toMatchObject([{ message: expect.stringContaining('rotate it first') }]);
  const rotated = await change(colleague.accessToken, 'rotateWebhookSecret', { id }, 'secret');
  expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), problems: [] });
  expect((await enable()).webhook).toMatchObject({ status: 'ENABLED', statusReason: null });
  const waiting = await sql().query(
    `SELECT 1 FROM auth.deliveries WHERE receiver_id = $1 AND state <> 'dead'`,
    [id],
  );
  expect(waiting.rows.length).toBeGreaterThan(0);
  await leave(colleague.id);
  await eventually(isPaused(id));
});

test('A webhook stays when its secret was rotated without overlap and its address confirmed by a colleague.', async () => {
  const { gone, colleague } = await colleagues();
  const id = await create(gone.accessToken);
  await change(colleague.accessToken, 'rotateWebhookSecret', { id, overlapSeconds: 0 });
  await change(colleague.accessToken, 'updateWebhook', { id, endpoint: address() });
  const overlapping = await create(gone.accessToken);
  await change(colleague.accessToken, 'rotateWebhookSecret', { id: overlapping, overlapSeconds: 600 });
  await leave(gone.id);
  await eventually(isPaused(overlapping));
  expect(await webhook(id)).toMatchObject({ status: 'enabled', secrets: expect.anything() });
});

test('A webhook ends with the loss of the role, and a user of another tenant ends nothing.', async () => {
  const [{ gone }, there] = [await colleagues(), await colleagues(rival)];
  const [id, theirs] = [await create(gone.accessToken), await create(there.gone.accessToken)];
  await service.deps.subjects.removeRole(tenant, gone.id, 'tenant_admin');
  await eventually(isPaused(id));
  expect(await webhook(theirs, rival)).toMatchObject({ status: 'enabled' });
  expect(await webhook(theirs)).toBeUndefined();
});

test('A stream of a colleague is paused when an offboarded user knew the secret of its client and supplied its address.', async () => {
  const { gone, colleague } = await colleagues();
  const receiver = await programs.register(colleague.accessToken, { scopes: ['ssf.manage', 'ssf.read'] });
  const stream = async (method: string, endpoint: string, id?: string) => {
    const answer = await fetch(`${service.origin}/t/${tenant}/ssf/stream`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await programs.accessToken(receiver)}`,
      },
      body: JSON.stringify({
        ...(id !== undefined && { stream_id: id }),
        delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: endpoint },
      }),
    });
    return ((await answer.json()) as { stream_id: string }).stream_id;
  };
  const kept = await stream('POST', address());
  const taken = await stream('POST', address());
  const { rotateClientSecret } = await programs.ask(
    gone.accessToken,
    'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { clientSecret } }',
    { id: receiver.id, overlapSeconds: 600 },
  );
  expect(rotateClientSecret.clientSecret).not.toBe('');
  await stream('PATCH', address(), taken);
  await leave(gone.id);
  const statusOf = async (id: string) => (await service.deps.signalStreams.one(tenant, id))?.status;
  await eventually(async () => (await statusOf(taken)) === 'paused');
  expect(await statusOf(kept)).toBe('enabled');
});

test('Of webhooks created concurrently with the offboarding, none sends events.', async () => {
  const { gone } = await colleagues();
  const attempts = Array.from({ length: 12 }, () => create(gone.accessToken).catch(() => undefined));
  const [made] = await Promise.all([Promise.all(attempts), leave(gone.id)]);
  await eventually(async () => (await service.deps.subjects.find(tenant, gone.id))?.active === false);
  for (const id of made) if (id !== undefined) expect(await webhook(id)).toMatchObject({ status: 'paused' });
});
