import { describe, expect, test } from '@jest/globals';
import { Freshness, lsnOf } from '../../src/replica/freshness.ts';
import { OwnWrites } from '../../src/replica/own-writes.ts';

const at = (lsn: string, timeline = 1, system = '7') => ({ system, timeline, lsn: lsnOf(lsn) });

describe('age of the data of a standby', () => {
  test('A standby has all data from before the newest mark that it has replayed.', () => {
    const freshness = new Freshness();
    freshness.mark(100, at('0/10'));
    freshness.mark(200, at('0/FFFFFFFF'));
    freshness.mark(300, at('1/0'));
    expect(freshness.asOf(at('0/F'))).toBeUndefined();
    expect(freshness.asOf(at('0/10'))).toBe(100);
    expect(freshness.asOf(at('0/FFFFFFFF'))).toBe(200);
    expect(freshness.asOf(at('1/1'))).toBe(300);
    expect(freshness.atLeastBehind(1_100)).toBe(1_000);
  });

  test('Marks of another timeline or system are ignored, and so is one requested before the last.', () => {
    const freshness = new Freshness();
    freshness.mark(100, at('0/10'));
    freshness.mark(50, at('0/20'));
    expect(freshness.asOf(at('0/20'))).toBe(100);
    expect(freshness.isOfThisHistory(at('0/10'))).toBe(true);
    expect(freshness.isOfThisHistory(at('0/10', 2))).toBe(false);
    expect(freshness.isOfThisHistory(at('0/10', 1, '8'))).toBe(false);
    freshness.mark(200, at('0/30', 2));
    expect(freshness.asOf(at('0/20', 2))).toBeUndefined();
    freshness.forget();
    expect(freshness.isOfThisHistory(at('0/30', 2))).toBe(false);
  });
});

test('A tenant with two concurrent changes counts as written to until one second after both have ended.', () => {
  const writes = new OwnWrites();
  const [one, two] = [writes.begin('demo'), writes.begin('demo')];
  one();
  expect(writes.concern(['rival'])).toBe(false);
  expect(writes.concern(['rival', 'demo'])).toBe(true);
  two();
  expect(writes.concern(['demo'])).toBe(true);
});
