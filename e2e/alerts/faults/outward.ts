import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { graph } from '../../support/graph.ts';
import { type Snapshot, sampled } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, hire, recordingOf, type World } from '../world.ts';

/** Webhook receiver of user events: accepts (`takes`), fails with 503 (`fails`) or responds with 410 (`leaves`). */
export class Receiver {
  answer: 'takes' | 'fails' | 'leaves' = 'takes';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async of({ own, token }: World): Promise<Receiver> {
    const server = createServer((_request, response) => {
      if (receiver.answer === 'takes') response.writeHead(204).end();
      // 503 is retried. 410 ends all deliveries to the receiver.
      else response.writeHead(receiver.answer === 'fails' ? 503 : 410).end();
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { data } = await graph(
      own.demo,
      token,
      'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { problems { message } } }',
      { input: { name: 'alerts', endpoint: `http://127.0.0.1:${port}/`, types: ['USER_CREATED'] } },
    );
    if (data.createWebhook.problems.length > 0) throw new Error('there is no webhook');
    return receiver;
  }

  end(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const kind = 'webhook';
const attempts = (now: Snapshot, outcome: string): number =>
  sampled(now, 'outward_attempts_total', { kind, outcome }) ?? 0;

/** Makes the receiver fail. The pending message is backdated. */
export function receiverAway(world: World, receiver: Receiver): Promise<Recording> {
  return recordingOf('a receiver is away', {
    targets: world.targets,
    make: async () => {
      receiver.answer = 'fails';
      await hire(world);
    },
    meanwhile: () =>
      world.sql(
        "UPDATE auth.deliveries SET created_at = now() - interval '20 minutes' WHERE state = 'pending'",
      ),
    shows: (now, before) =>
      attempts(now, 'failed') - attempts(before, 'failed') > 1 &&
      (sampled(now, 'outward_oldest_pending_seconds', { kind }) ?? 0) > 900,
    heal: async () => {
      receiver.answer = 'takes';
    },
    // The gauge is measured every 15 seconds.
    healed: (now) => sampled(now, 'outward_oldest_pending_seconds', { kind }) === 0,
  });
}

/** Makes a message wait for a predecessor that is never delivered. */
export function predecessorMissing(world: World, receiver: Receiver): Promise<Recording> {
  const released = (now: Snapshot): number => sampled(now, 'outward_held_released_total') ?? 0;
  return recordingOf('what is before a message does not come', {
    targets: world.targets,
    make: async () => {
      receiver.answer = 'fails';
      await hire(world);
      await collectUntil('the message was tried', world.targets, (now) => attempts(now, 'failed') > 0);
    },
    meanwhile: () =>
      world.sql(
        "UPDATE auth.deliveries SET state = 'held', leased_until = NULL, due_at = now() - interval '2 minutes' WHERE state = 'pending'",
      ),
    shows: (now, before) => released(now) > released(before),
    heal: async () => {
      receiver.answer = 'takes';
    },
    healed: () => true,
  });
}

/** Makes the receiver respond with 410: its pending messages become dead letters. */
export function receiverGone(world: World, receiver: Receiver): Promise<Recording> {
  const dead = (now: Snapshot): number => sampled(now, 'outward_dead_total', { kind }) ?? 0;
  return recordingOf('a receiver is gone', {
    targets: world.targets,
    make: async () => {
      receiver.answer = 'leaves';
      await hire(world);
    },
    shows: (now, before) => dead(now) > dead(before),
    heal: async () => undefined,
    healed: () => true,
  });
}
