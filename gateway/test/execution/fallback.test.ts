import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type DocumentNode,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { Fallback, type FallbackReason, fallbackReasons } from '../../src/execution/fallback.ts';
import { shapeOf } from '../../src/execution/graph/completion.ts';
import { type PlanNode, type Step, stepsOf } from '../../src/execution/graph/plan-steps.ts';
import { collect } from '../../src/execution/graph/step-execution.ts';

const schema = buildSchema(`
  type Query { things: [Thing!] thing: Thing }
  interface Node { id: ID! }
  type Thing implements Node { id: ID! name: String! size: Int }
`);

const fetchNode: PlanNode = { kind: 'Fetch', serviceName: 'things', operation: '{ thing { id } }' };
const idOf = [
  { kind: 'Field', name: '__typename' },
  { kind: 'Field', name: 'id' },
];

function entitiesOf(typeCondition: string): PlanNode {
  const requires = [{ kind: 'InlineFragment', typeCondition, selections: idOf }];
  return { kind: 'Flatten', path: ['thing'], node: { ...fetchNode, requires } };
}

const complete = (query: string, data: unknown): unknown => {
  const document: DocumentNode = parse(query);
  const operation = getOperationAST(document) as OperationDefinitionNode;
  return shapeOf(schema, operation, new Map())(data);
};

const thing = { __typename: 'Thing', id: '1' };

/** Executes a plan; its requests get these responses in order. */
const execute = (plan: PlanNode, ...answers: object[]): Promise<unknown> =>
  collect(stepsOf(plan, schema) as Step, {}, async () => ({ ...answers.shift() }));

const cases: Record<FallbackReason, () => unknown> = {
  'plan node': () => stepsOf({ kind: 'Condition' }, schema),
  rewrite: () => stepsOf({ ...fetchNode, inputRewrites: [{}] }, schema),
  representation: () => stepsOf(entitiesOf('Node'), schema),
  directive: () => complete('{ thing { name @skip(if: true) } }', {}),
  name: () => complete('{ thing { constructor: name } }', {}),
  'type condition': () => complete('{ thing { ... on Node { ... on Thing { id } } } }', {}),
  type: () => complete('{ thing { weight } }', {}),
  errors: () => execute(fetchNode, { data: { thing }, errors: [{ message: 'no' }] }),
  entities: () =>
    execute(
      { kind: 'Sequence', nodes: [fetchNode, entitiesOf('Thing')] },
      { data: { thing: { ...thing } } },
      { data: { _entities: [null] } },
    ),
  shape: () => complete('{ things { id } }', { things: { id: '1' } }),
  'other type': () => complete('{ thing { id } }', { thing: { __typename: 'Part', id: '1' } }),
  null: () => complete('{ things { name } }', { things: [{ name: null }] }),
  value: () => complete('{ thing { size } }', { thing: { size: 'large' } }),
  conflict: () =>
    execute(
      { kind: 'Parallel', nodes: [fetchNode, fetchNode] },
      { data: { thing: { ...thing } } },
      { data: { thing: { ...thing, id: '2' } } },
    ),
};

describe('fallback of the fast path', () => {
  test.each(fallbackReasons)('The fast path falls back for the reason "%s".', async (reason) => {
    const outcome = await (async () => cases[reason]())().catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Fallback);
    expect((outcome as Fallback).reason).toBe(reason);
  });
});

test('The README of the execution module lists exactly the fallback reasons.', () => {
  const page = readFileSync(new URL('../../src/execution/README.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, reason]) => reason);
  expect(named).toEqual([...fallbackReasons]);
});

test('A plan with supported nodes and responses is executed on the fast path.', async () => {
  const plan = { kind: 'Sequence', nodes: [fetchNode, entitiesOf('Thing')] };
  const data = await execute(
    plan,
    { data: { thing: { ...thing } } },
    { data: { _entities: [{ name: 'a' }] } },
  );
  expect(complete('{ thing { name } }', data)).toEqual({ thing: { name: 'a' } });
});
