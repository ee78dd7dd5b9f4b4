import { expect, test } from '@jest/globals';
import { FailingTenants } from '../../../src/identity/sign-in/http/sign-in-metrics.ts';

const minute = 60_000;

function counted() {
  let now = 0;
  const tenants = new FailingTenants(() => now);
  const pass = (ms: number): void => {
    now += ms;
  };
  const fail = (tenant: string, times: number): void => {
    for (let n = 0; n < times; n += 1) tenants.failed(tenant);
  };
  const accept = (tenant: string, times: number): void => {
    for (let n = 0; n < times; n += 1) tenants.accepted(tenant);
  };
  return { tenants, pass, fail, accept };
}

test('A tenant counts as failing from its third failure until more sign-ins succeed than fail.', () => {
  const { tenants, fail, accept } = counted();
  fail('demo', 2);
  expect(tenants.count).toBe(0);
  fail('demo', 1);
  expect(tenants.count).toBe(1);
  accept('demo', 3);
  expect(tenants.count).toBe(0);
});

test('The sign-ins of another tenant, in any number, do not hide a failing one.', () => {
  const { tenants, fail, accept } = counted();
  fail('demo', 3);
  accept('rival', 100_000);
  expect(tenants.count).toBe(1);
  fail('rival', 1);
  accept('rival', 100_000);
  expect(tenants.count).toBe(1);
});

test('Failures are forgotten after five minutes.', () => {
  const { tenants, pass, fail } = counted();
  fail('demo', 3);
  pass(5 * minute);
  expect(tenants.count).toBe(1);
  pass(1);
  expect(tenants.count).toBe(0);
  fail('demo', 2);
  expect(tenants.count).toBe(0);
});

test('Invented tenants use at most ten thousand entries, and the oldest entry is dropped.', () => {
  const { tenants, fail } = counted();
  fail('demo', 3);
  for (let n = 0; n < 9_999; n += 1) tenants.failed(`made-up-${n}`);
  expect(tenants.count).toBe(1);
  tenants.failed('one-more');
  expect(tenants.count).toBe(0);
  fail('demo', 3);
  expect(tenants.count).toBe(1);
});
