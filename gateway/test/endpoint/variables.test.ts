import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { supergraphPath } from '../../src/schema/graph/compose.ts';
import { type GraphAnswer, type RunningGateway, startGateway } from '../support/system.ts';

const query =
  'query ($where: UserFilter, $order: UserOrder) { users(first: 1, where: $where, orderBy: $order) { totalCount } }';

let gateway: RunningGateway;
beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:1';
  gateway = await startGateway(
    await new Issuer(),
    { auth: nowhere, directory: nowhere, provisioning: nowhere },
    { supergraphSdl: await readFile(supergraphPath, 'utf8') },
  );
});
afterAll(() => gateway.app.close());

/** @param variables JSON text */
const mistakes = async (variables: string) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{ "query": ${JSON.stringify(query)}, "variables": ${variables} }`,
  });
  const body = (await response.json()) as GraphAnswer['body'];
  expect(response.status).toBe(200);
  expect(body.data).toBeUndefined();
  expect(new Set(body.errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['BAD_USER_INPUT']));
  return body.errors ?? [];
};

// Each unknown field would cause a message that contains the entire value: gigabytes from 250 KB.
test('The report of invalid variables is short, regardless of their number.', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`a${index}`, 1]));
  for (const where of [unknown, { and: Array.from({ length: 1_500 }, () => 'x') }]) {
    const errors = await mistakes(JSON.stringify({ where }));
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(errors).length).toBeLessThan(20_000);
    expect(errors[0]?.message).toMatch(/^Variable "\$where" got invalid value .*UserFilter/s);
  }
  const deep = `${'{ "not": '.repeat(20_000)}{}${'}'.repeat(20_000)}`;
  expect((await mistakes(`{ "where": ${deep} }`)).map(({ message }) => message)).toEqual([
    'The variables are nested too deeply.',
  ]);
});

test('The report of invalid variables contains no names of the schema.', async () => {
  const errors = await mistakes('{ "where": { "userNam": {} }, "order": { "field": "USER_NAM" } }');
  expect(errors).toHaveLength(2);
  expect(JSON.stringify(errors)).not.toMatch(/Did you mean|userName|USER_NAME/);
});
