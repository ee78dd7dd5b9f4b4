import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { composeSupergraph, supergraphPath } from '../src/compose.ts';

test('the committed supergraph is what the services’ schemas compose to (npm run compose writes it)', async () => {
  expect(await readFile(supergraphPath, 'utf8')).toBe(await composeSupergraph());
});
