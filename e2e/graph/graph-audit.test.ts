import { expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { runningDemo } from '../support/demo.ts';

// Requirements of GraphQL over HTTP, as the reference implementation checks them.
const audits = serverAudits({ url: runningDemo().graphql, fetchFn: fetch });

test('The reference implementation provides audits.', () => {
  expect(audits.length).toBeGreaterThan(50);
});

test.each(audits.map((audit) => [audit.name, audit] as const))(
  'The endpoint passes the GraphQL over HTTP audit: %s.',
  async (_name, audit) => {
    const result = await audit.fn();
    // Notices concern optional behaviour (MAY).
    const found = result.status === 'ok' ? undefined : `${result.status}: ${result.reason}`;
    expect(found ?? '').not.toMatch(/^(error|warn)/);
  },
);
