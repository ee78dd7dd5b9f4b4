import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { graph } from '../../support/graph.ts';
import { type Snapshot, sampled } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, hire, recordingOf, type World } from '../world.ts';

/** Whoever is told by webhook who joins: takes it, is away, or takes it and refuses. */
export class Receiver {
  answer: 'takes' | 'fails' | 'leaves' = 'takes';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async of({ own, token }: World): Promise<Receiver> {
    const server = createServer((_request, response) => {
      if (receiver.answer === 'takes') response.writeHead(204).end();
      // The one is tried again, the other says that it wants nothing ever again.
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

/** A receiver is away, and the message that waits for it was sent (as the row has it) long ago. */
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
    // Counted every quarter of a minute.
    healed: (now) => sampled(now, 'outward_oldest_pending_seconds', { kind }) === 0,
  });
}

/** A message waits for one before it that doesn't come. */
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

/** A receiver says that it wants nothing ever again: what waits for it is given up. */
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
