import { readFile } from 'node:fs/promises';
import { composeServices } from '@apollo/composition';
import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import {
  composeSupergraph,
  subgraphPath,
  subgraphSdl,
  supergraphPath,
} from '../../src/schema/graph/compose.ts';
import { serviceNames } from '../../src/upstreams/domain/upstream.ts';

test('The committed supergraph is the composition of the schemas of the services (npm run compose writes it).', async () => {
  expect(await readFile(supergraphPath, 'utf8')).toBe(await composeSupergraph());
});

test.each(serviceNames)(
  'The committed complete schema of %s matches its sources (npm run compose writes it).',
  async (name) => {
    expect(await readFile(subgraphPath(name), 'utf8')).toBe(await subgraphSdl(name));
  },
);

test('Standard composition creates the supergraph from the committed schemas without changes.', async () => {
  const subgraphs = await Promise.all(
    serviceNames.map(async (name) => ({
      name,
      url: `http://${name}.invalid/graphql`,
      typeDefs: parse(await readFile(subgraphPath(name), 'utf8')),
    })),
  );
  const { supergraphSdl, errors } = composeServices(subgraphs);
  expect(errors).toBeUndefined();
  expect(`${supergraphSdl?.trim()}\n`).toBe(await readFile(supergraphPath, 'utf8'));
});
