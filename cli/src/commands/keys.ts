import { randomUUID } from 'node:crypto';
import { RotateSigningKeys, SigningKeys, type SigningKeysQuery } from '../graph/generated/keys.ts';
import { made } from '../graph/graph.ts';
import { table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';

type Keys = NonNullable<SigningKeysQuery['signingKeysConnection']>['edges'][number]['node'][];

const show = (context: Context, keys: Keys): void =>
  context.terminal.result(keys, () =>
    table(
      ['id', 'algorithm', 'state', 'created', 'active', 'retired'],
      keys.map((key) => [key.id, key.algorithm, key.state, key.createdAt, key.activeAt, key.retiredAt]),
    ),
  );

async function list(context: Context): Promise<void> {
  const graph = await context.graph();
  show(
    context,
    (await graph.ask(SigningKeys, {})).signingKeysConnection?.edges.map(({ node }) => node) ?? [],
  );
}

async function rotate(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { tenant } = await context.session();
  const compromised = given.flag('compromised');
  await context.terminal.confirm(
    compromised
      ? `Remove the signing keys of ${tenant} now? Everything they signed is rejected immediately.`
      : `Rotate the signing keys of ${tenant}? Everything they signed remains valid.`,
  );
  const algorithms = given.list('algorithm') as ('RS256' | 'ES256')[];
  const input = {
    compromised,
    ...(algorithms.length > 0 ? { algorithms } : {}),
    idempotencyKey: randomUUID(),
  };
  show(context, made((await graph.ask(RotateSigningKeys, { input })).rotateSigningKeys).signingKeys ?? []);
}

export const keysCommands: GroupDefinition = {
  name: 'keys',
  summary: 'Manages signing keys of a tenant; with --operator and no tenant, of the platform.',
  commands: [
    {
      usage: 'list',
      summary: 'Lists current, next and previous keys.',
      examples: ['ostiary keys list', 'ostiary keys list --operator'],
      run: list,
    },
    {
      usage: 'rotate',
      summary:
        'Publishes the next keys. They sign after verifiers have had time to fetch them; previous keys stay published while tokens signed by them are valid.',
      options: [
        {
          flags: '--algorithm <name>',
          description: 'algorithm to rotate; default: all',
          choices: ['RS256', 'ES256'],
          many: true,
        },
        {
          flags: '--compromised',
          description: 'immediately remove the current keys and reject tokens signed by them',
        },
      ],
      examples: ['ostiary keys rotate --yes', 'ostiary keys rotate --compromised --algorithm ES256'],
      run: rotate,
    },
  ],
};
