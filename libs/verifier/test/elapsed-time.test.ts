import { expect, test } from '@jest/globals';
import { ElapsedTime } from '../src/elapsed-time.ts';
import { Verifier } from '../src/verifier.ts';
import { audience, clientId, clientSecret, StubIssuer } from './support/stub-issuer.ts';

const clocks = () => {
  const at = { monotonic: 5_000, wall: 1_700_000_000_000 };
  return {
    at,
    time: new ElapsedTime(
      () => at.monotonic,
      () => at.wall,
    ),
  };
};

test('The time for which a machine was suspended counts, though the monotonic clock stood still.', () => {
  const { at, time } = clocks();
  expect(time.now()).toBe(5_000);
  at.monotonic += 100;
  at.wall += 100 + 3_600_000;
  expect(time.now()).toBe(5_100 + 3_600_000);
  at.monotonic += 50;
  at.wall += 50;
  expect(time.now()).toBe(5_150 + 3_600_000);
});

test('A wall clock that is set back, or corrected by less than a second, does not change the elapsed time.', () => {
  const { at, time } = clocks();
  at.wall -= 3_600_000;
  expect(time.now()).toBe(5_000);
  for (let n = 0; n < 100; n += 1) {
    at.monotonic += 10;
    at.wall += 12;
    time.now();
  }
  expect(time.now()).toBe(6_000);
});

test('After a suspension tokens are introspected until the list is complete again.', async () => {
  const issuer = await new StubIssuer().start();
  let suspendedMs = 0;
  const time = new ElapsedTime(
    () => performance.now(),
    () => Date.now() + suspendedMs,
  );
  const verifier = new Verifier({ issuer: issuer.issuer, audience, clientId, clientSecret }, time);
  try {
    await verifier.ready(10_000);
    const token = await issuer.bearer();
    await verifier.verify(token);
    expect(issuer.countOf('introspect')).toBe(0);
    suspendedMs = 3_600_000;
    issuer.active = false;
    expect(verifier.state.fresh).toBe(false);
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401 });
  } finally {
    verifier.stop();
    await issuer.stop();
  }
});
