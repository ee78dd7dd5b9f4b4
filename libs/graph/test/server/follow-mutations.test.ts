import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { federation, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

const heard: string[] = [];
let issuer: Issuer;
let graph: RunningSubgraph;

beforeAll(async () => {
  issuer = new Issuer();
  const change = ({ fails }: { fails?: boolean }) => {
    heard.push('change');
    if (fails) throw new Error('no');
    return 1;
  };
  graph = await serveSubgraph(issuer, {
    typeDefs: `${federation}
      type Query { look: Int @scopes(any: ["all"]) }
      type Mutation { change(fails: Boolean): Int @scopes(any: ["all"]) @confers(nothing: true) }`,
    resolvers: {
      Query: { look: () => heard.push('look') },
      Mutation: { change: (_parent: unknown, args: { fails?: boolean }) => change(args) },
    },
    loaders: () => ({}),
    writing: (tenant) => {
      heard.push(`begins ${tenant}`);
      return () => heard.push('ends');
    },
  });
});
afterAll(() => graph.close());
beforeEach(() => {
  heard.splice(0);
});

const ask = (query: string) => graph.ask(query, { token: issuer.token({ scopes: ['all'] }) });

test('A mutation is tracked from before its execution until its answer, with any outcome, and a query is not.', async () => {
  await ask('{ look }');
  expect(heard.splice(0)).toEqual(['look']);
  await ask('mutation { change }');
  expect(heard.splice(0)).toEqual(['begins demo', 'change', 'ends']);
  await ask('mutation { change(fails: true) }');
  expect(heard.splice(0)).toEqual(['begins demo', 'change', 'ends']);
  await ask('query Look { look } mutation { change }');
  await ask('mutation { none }');
  await graph.ask('mutation { change }');
  expect(heard).toEqual([]);
});
