import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { masked, type Row } from './row.ts';
import type { World } from './world.ts';

const log = 'securityLog';
const ofWebhook = { log, resourceType: 'Webhook', resource: 'webhook', select: 'webhook { id }' } as const;
const ofStream = { log, resourceType: 'SignalStream', resource: 'stream' } as const;

/** Waits until the webhook has `many` messages about users in a state, and returns their ids. */
async function messages({ read, the }: World, state: 'PENDING' | 'DEAD', many: number): Promise<string[]> {
  const found = await eventually(
    async () => {
      const { deliveries } = await read<{
        deliveries: { edges: { node: { id: string; type: string } }[] };
      }>(
        `{ deliveries(filter: { receiverId: "${the.get('webhook')}", state: ${state} }) { edges { node { id type } } } }`,
      );
      return deliveries.edges.filter(({ node }) => node.type === 'user.updated');
    },
    (edges) => edges.length === many,
  );
  return found.map(({ node }) => node.id);
}

/** Pauses the webhook, so that none of its messages is in delivery, and creates messages. */
async function holdMessages(world: World): Promise<void> {
  const { change, the } = world;
  await change('updateWebhook', { id: the.get('webhook'), status: 'PAUSED' }, 'webhook { id }');
  // About several users, because messages about one user are delivered in order and would wait for each other.
  for (const person of ['bob', 'carol', 'invitee'])
    await change('updateUser', { id: the.get(person), nickName: person }, 'user { id }');
  for (const [index, id] of (await messages(world, 'PENDING', 3)).entries()) the.set(`message ${index}`, id);
}

async function enableAfterDeath(world: World): Promise<void> {
  await messages(world, 'DEAD', 2);
  await world.change('updateWebhook', { id: world.the.get('webhook'), status: 'ENABLED' }, 'webhook { id }');
}

/** Changes of a stream and a webhook, ordered by dependency. */
export const receiverRows: readonly Row[] = [
  {
    ...ofStream,
    mutation: 'updateSignalStream',
    input: (the) => ({ id: the.get('stream'), status: 'PAUSED', reason: 'holidays' }),
    select: 'signalStream { id }',
    action: 'signal_stream.updated',
    changes: () => ({ status: { before: 'enabled', after: 'paused' } }),
  },
  {
    ...ofStream,
    mutation: 'deleteSignalStream',
    input: (the) => ({ id: the.get('stream') }),
    select: 'id',
    action: 'signal_stream.deleted',
    changes: () => ({ status: { before: 'paused' } }),
  },
  {
    ...ofWebhook,
    mutation: 'createWebhook',
    input: (the) => ({
      name: 'Payroll',
      endpoint: `https://receiver.invalid/?key=${the.get('endpointKey')}`,
      types: ['USER_UPDATED'],
    }),
    select: 'webhook { id } secret',
    keep: { webhook: 'webhook.id' },
    action: 'webhook.created',
    changes: () => ({
      name: { after: 'Payroll' },
      endpoint: { after: 'https://receiver.invalid/?…' },
      secret: { after: masked },
    }),
    secrets: ['endpointKey'],
  },
  {
    ...ofWebhook,
    mutation: 'testWebhook',
    input: (the) => ({ id: the.get('webhook') }),
    select: 'deliveryId',
    keep: { tested: 'deliveryId' },
    action: 'webhook.tested',
    changes: (the) => ({ delivery: { after: the.get('tested') } }),
  },
  {
    ...ofWebhook,
    mutation: 'rotateWebhookSecret',
    input: (the) => ({ id: the.get('webhook'), overlapSeconds: 60 }),
    select: 'webhook { id } secret',
    action: 'webhook.secret_rotated',
    changes: () => ({ secret: { before: masked, after: masked }, overlapSeconds: { after: 60 } }),
  },
  {
    mutation: 'discardDelivery',
    prepare: holdMessages,
    input: (the) => ({ id: the.get('message 0') }),
    select: 'id',
    log,
    action: 'delivery.discarded',
    resourceType: 'Delivery',
    resource: 'message 0',
    changes: (the) => ({ state: { before: 'pending' }, receiverId: { before: the.get('webhook') } }),
  },
  {
    ...ofWebhook,
    mutation: 'updateWebhook',
    input: (the) => ({ id: the.get('webhook'), status: 'DISABLED', name: 'Wages' }),
    action: 'webhook.updated',
    changes: () => ({
      status: { before: 'paused', after: 'disabled' },
      name: { before: 'Payroll', after: 'Wages' },
    }),
  },
  {
    mutation: 'replayDelivery',
    prepare: enableAfterDeath,
    input: (the) => ({ id: the.get('message 1') }),
    select: 'delivery { id }',
    log,
    action: 'delivery.replayed',
    resourceType: 'Delivery',
    resource: 'message 1',
    changes: () => ({ state: { before: 'dead', after: 'pending' } }),
  },
  {
    mutation: 'replayDeadDeliveries',
    input: (the) => ({ receiverId: the.get('webhook') }),
    select: 'replayed',
    log,
    action: 'delivery.replayed',
    resourceType: 'Webhook',
    resource: 'webhook',
    changes: () => ({ deliveries: { after: expect.any(Number) } }),
  },
  {
    ...ofWebhook,
    mutation: 'deleteWebhook',
    input: (the) => ({ id: the.get('webhook') }),
    select: 'id',
    action: 'webhook.deleted',
    changes: () => ({ name: { before: 'Wages' }, endpoint: { before: 'https://receiver.invalid/?…' } }),
  },
];
