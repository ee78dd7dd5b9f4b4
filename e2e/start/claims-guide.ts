import { expect } from '@jest/globals';
import type { Demo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';

const found = `{ apis(last: 100) { edges { node { id name } } }
  clients(first: 100, filter: { name: "Invoice portal" }) { edges { node { id } } } }`;

const titled = `mutation ($id: ID!) {
  updateUser(input: { id: $id, title: "Clerk" }) { problems { message } } }`;

/** Previews the claims of the API and the client of the guide, for a user before and after the user gets a title. */
export async function previewsClaims(
  demo: Demo,
  token: string,
  preview: string,
  userId: string,
): Promise<void> {
  const { apis, clients } = (await graph(demo, token, found, {})).data;
  const api = apis.edges.find(({ node }: { node: { name: string } }) => node.name === 'Invoices').node;
  const ids = [userId, clients.edges[0].node.id as string, api.id as string];
  const query = preview.replaceAll('"…"', () => JSON.stringify(ids.shift()));
  const before = (await graph(demo, token, query, {})).data.claimPreview;
  expect(before.accessToken).toMatchObject({ issued: false });
  expect(before.idToken.claims).toEqual([{ name: 'job', value: '"unknown"' }]);
  expect((await graph(demo, token, titled, { id: userId })).data.updateUser.problems).toEqual([]);
  const after = (await graph(demo, token, query, {})).data.claimPreview;
  expect(after.accessToken).toEqual({
    issued: true,
    claims: [
      { name: 'plan', value: '"enterprise"' },
      { name: 'title', value: '"Clerk"' },
      { name: 'teams', value: '[]' },
    ],
    failures: [{ name: 'approves', required: false, reason: 'NO_VALUE', message: null }],
  });
  expect(after.idToken.claims).toEqual([{ name: 'job', value: '"Clerk"' }]);
}
