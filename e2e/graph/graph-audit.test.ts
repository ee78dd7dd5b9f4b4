import { expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { runningDemo } from '../support/demo.ts';

// What GraphQL over HTTP asks of a server, as the reference implementation checks it.
const audits = serverAudits({ url: runningDemo().graphql, fetchFn: fetch });

test('The reference implementation provides audits.', () => {
  expect(audits.length).toBeGreaterThan(50);
});

test.each(audits.map((audit) => [audit.name, audit] as const))(
  'The endpoint passes the GraphQL over HTTP audit: %s.',
  async (_name, audit) => {
    const result = await audit.fn();
    // Notices are about what a server may do; we may do otherwise.
    const found = result.status === 'ok' ? undefined : `${result.status}: ${result.reason}`;
    expect(found ?? '').not.toMatch(/^(error|warn)/);
  },
);
