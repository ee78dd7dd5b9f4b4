import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  DeadLetters,
  type DeadLettersQuery,
  ReplayDeadDeliveries,
  ReplayDelivery,
} from '../graph/generated/deliveries.ts';
import { type Graph, made } from '../graph/graph.ts';
import { table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import { time } from './values.ts';

type Letter = NonNullable<NonNullable<DeadLettersQuery['deliveries']>['edges'][number]['node']>;

async function found(context: Context, graph: Graph, given: Arguments): Promise<Letter[]> {
  const letters: Letter[] = [];
  const where = { receiverId: given.text('receiver'), since: time(given, 'since') };
  for await (const letter of graph.all(DeadLetters, where, ({ deliveries }) => deliveries)) {
    letters.push(letter);
    if (letters.length % 1_000 === 0) context.terminal.progress(`${letters.length} read`);
    context.mayGoOn();
  }
  return letters;
}

async function list(context: Context, given: Arguments): Promise<void> {
  const letters = await found(context, await context.graph(), given);
  context.terminal.result(letters, () =>
    letters.length === 0
      ? ['There are no dead letters.']
      : table(
          ['id', 'type', 'receiver', 'kind', 'given up', 'attempts', 'status', 'error'],
          letters.map((letter) => [
            letter.id,
            letter.type,
            letter.receiverId,
            letter.receiverKind,
            letter.finishedAt,
            letter.attempts,
            letter.lastStatus,
            letter.lastError,
          ]),
        ),
  );
}

async function replay(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const id = given.optional(0);
  if (id !== undefined) {
    made((await graph.ask(ReplayDelivery, { input: { id, idempotencyKey: randomUUID() } })).replayDelivery);
    return context.terminal.result({ replayed: 1 }, () => ['The message is queued again.']);
  }
  if (given.text('receiver') === undefined && !given.flag('all')) {
    throw new Failure('usage', 'Specify an id, --receiver or --all.', 'ostiary dead-letters list');
  }
  const letters = await found(context, graph, given);
  const receivers = [...new Set(letters.map(({ receiverId }) => receiverId))];
  if (letters.length > 0) {
    await context.terminal.confirm(`Send ${letters.length} messages to ${receivers.length} receivers again?`);
  }
  let replayed = 0;
  for (const receiverId of receivers) {
    if (context.signal.aborted) {
      throw new Failure('interrupted', `${replayed} messages are queued again; the others are unchanged.`);
    }
    const input = { receiverId, since: time(given, 'since') ?? null, idempotencyKey: randomUUID() };
    replayed += made((await graph.ask(ReplayDeadDeliveries, { input })).replayDeadDeliveries).replayed ?? 0;
    context.terminal.progress(`${replayed} of ${letters.length}`);
  }
  context.terminal.result({ replayed }, () => [`${replayed} messages are queued again.`]);
}

const since = {
  flags: '--since <time>',
  description: 'filter by time: a timestamp, or an age such as 12h or 7d',
};
const receiver = { flags: '--receiver <id>', description: 'filter by receiver' };

export const deadLetterCommands: GroupDefinition = {
  name: 'dead-letters',
  summary: 'Manages undeliverable messages to clients and receivers.',
  commands: [
    {
      usage: 'list',
      summary: 'Lists undeliverable messages with the reason.',
      options: [receiver, since],
      examples: ['ostiary dead-letters list', 'ostiary dead-letters list --since 7d --json'],
      run: list,
    },
    {
      usage: 'replay [id]',
      summary: 'Sends a message again, or all messages of one or all receivers.',
      options: [receiver, since, { flags: '--all', description: 'all receivers' }],
      examples: [
        'ostiary dead-letters replay --receiver 0190c1d2-… --yes',
        'ostiary dead-letters replay --all --since 12h',
      ],
      run: replay,
    },
  ],
};
