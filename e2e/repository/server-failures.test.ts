import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/**
 * Files that write a response themselves, and the test that a 5xx of them leaves a log entry. All other responses pass
 * through the router, whose access log has every response.
 */
const writers: Readonly<Record<string, string>> = {
  'gateway/src/edge/http/direct.ts': 'gateway/test/edge/server-failures.test.ts',
  'gateway/src/edge/http/operator-port.ts': 'gateway/test/edge/server-failures.test.ts',
  'gateway/src/edge/http/passage.ts': 'gateway/test/edge/server-failures.test.ts',
  'gateway/src/edge/http/upgrades.ts': 'gateway/test/edge/server-failures.test.ts',
  // Writes status 200 only.
  'gateway/src/subscriptions/graph/event-streams.ts': 'gateway/test/subscriptions/start.test.ts',
  'libs/access/src/perimeter/refusal.ts': 'gateway/test/edge/server-failures.test.ts',
  'libs/service/src/http/exchange.ts': 'libs/service/test/http/server-failures.test.ts',
  'libs/service/src/http/rejections.ts': 'libs/service/test/http/server-failures.test.ts',
  'libs/service/src/process/metrics-server.ts': 'libs/service/test/http/server-failures.test.ts',
  'services/guard/src/decisions/decisions.http.ts': 'services/guard/test/decisions/server-failures.test.ts',
};

const sources = globSync(['{services,libs}/*/src/**/*.ts', 'gateway/src/**/*.ts'], { cwd: root }).filter(
  // The adapters of libs/verifier run in processes of other companies, which have their own logs.
  (file) => !/\/generated\/|\/testing|^libs\/verifier\//.test(file),
);

test('Every file that writes a response without the router has a test that its 5xx leave a log entry.', () => {
  const found = sources.filter((file) =>
    /\.writeHead\(|HTTP\/1\.1 \$|\.hijack\(|\b(?:response|raw)\.statusCode =/.test(
      readFileSync(resolve(root, file), 'utf8'),
    ),
  );
  expect(found.toSorted()).toEqual(Object.keys(writers).toSorted());
  for (const test of Object.values(writers)) readFileSync(resolve(root, test));
});
