import { expect, test } from '@jest/globals';
import { neverPasses, passesFrom, runFixture } from './fixture.ts';

const file = (name: string) => `libs/fixture/src/${name}.test.ts`;

test('A file that fails once and then passes leaves the run green, and the report states it.', async () => {
  const { code, output, lastLine, report } = await runFixture({
    [file('steady')]: passesFrom(1),
    [file('unstable')]: passesFrom(2),
  });
  expect([code, lastLine]).toEqual([0, '4 passed, 0 failed']);
  const section = output.slice(output.indexOf('\nUnstable'));
  expect(section).toContain(file('unstable'));
  expect(section).toContain('The file passes from run 2 on.\n    Error: failed in run 1');
  expect(section).not.toContain(file('steady'));
  expect(report).toMatchObject({
    tiers: ['first'],
    passed: 4,
    failed: 0,
    unstable: [
      {
        file: file('unstable'),
        test: 'The file passes from run 2 on.',
        firstError: expect.stringContaining('failed in run 1'),
        seconds: expect.any(Number),
        load: [expect.any(Number), expect.any(Number), expect.any(Number)],
        cpus: expect.any(Number),
      },
    ],
  });
});

test('A file that fails twice makes the run red, and its tests count once.', async () => {
  const { code, output, lastLine, report } = await runFixture({ [file('broken')]: neverPasses });
  expect([code, lastLine]).toEqual([1, '1 passed, 1 failed']);
  expect(output).toMatch(/^Failed:\n.*broken\.test\.ts: .*failed in run 2/m);
  expect(output).not.toMatch(/^Unstable/m);
  expect(report).toMatchObject({ passed: 1, failed: 1, unstable: [] });
});

test('Four unstable files make the run red.', async () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => [file(name), passesFrom(2)]);
  const { code, output, lastLine, report } = await runFixture(Object.fromEntries(files));
  expect([code, lastLine]).toEqual([1, '8 passed, 1 failed']);
  expect(output).toMatch(/^Failed:\n {2}4 files are unstable; at most 3 may be\.$/m);
  expect(report.unstable).toHaveLength(4);
});

test('Broken invariants at the end of the shared system are red although every file passes when run again.', async () => {
  const flaws =
    "require('node:fs').writeFileSync(process.env.OSTIARY_TEST_FLAWS, 'An invariant is broken.');";
  const { code, output, lastLine } = await runFixture(
    { [file('steady')]: passesFrom(1), 'teardown.cjs': `module.exports = () => { ${flaws} };` },
    { config: { globalTeardown: '<rootDir>/teardown.cjs' } },
  );
  expect([code, lastLine]).toEqual([1, '2 passed, 1 failed']);
  expect(output).toMatch(/^Failed:\n {2}First tier: An invariant is broken\.$/m);
});

const skips = `
  const { appendFileSync } = require('node:fs');
  appendFileSync(process.env.OSTIARY_TEST_SKIPS, JSON.stringify({ file: __filename, reason: 'no engine' }) + '\\n');
  test('A test passes.', () => {});
  test.skip('A test needs an engine.', () => {});
`;

test('A run states skipped tests and the recorded reason, and fails if the file is required.', async () => {
  const files = { [file('skips')]: skips };
  const free = await runFixture(files);
  expect([free.code, free.lastLine]).toEqual([0, '1 passed, 0 failed']);
  expect(free.output).toContain(`Skipped (1 tests):\n     1 of ${file('skips')}: no engine`);
  expect(free.report).toMatchObject({ skipped: [{ file: file('skips'), tests: 1, reasons: ['no engine'] }] });
  const required = await runFixture(files, { env: { OSTIARY_REQUIRED_TESTS: 'e2e/ libs/fixture/' } });
  expect([required.code, required.lastLine]).toEqual([1, '1 passed, 1 failed']);
  const selected = await runFixture(files, { args: ['-t', 'A test passes'] });
  expect([selected.lastLine, selected.report]).toEqual([
    '1 passed, 0 failed',
    expect.objectContaining({ skipped: [] }),
  ]);
});

test('Repeated runs beside a load report the failure rate and the first error.', async () => {
  const { code, output, lastLine } = await runFixture(
    { [file('unstable')]: passesFrom(2) },
    { args: ['--repeat', '3', '--load', file('unstable')] },
  );
  expect([code, lastLine]).toEqual([1, '1 of 3 failed']);
  expect(output).toMatch(/ 1 of 3 {2}FAILED .*\n +2 of 3 {2}passed .*\n +3 of 3 {2}passed /);
  expect(output).toContain('1 × libs/fixture/src/unstable.test.ts: The file passes from run 2 on.');
});

test('Repeating a file that does not exist is an error.', async () => {
  const { code, output } = await runFixture({}, { args: ['--repeat', '3', 'missing.test.ts'] });
  expect(code).not.toBe(0);
  expect(output).toContain('No test file matches missing.test.ts.');
});
