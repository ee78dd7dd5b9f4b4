import { describe, expect, test } from '@jest/globals';
import { isUuid, minUuidv7, uuidv7 } from '../src/index.ts';

describe('uuidv7', () => {
  test('A UUIDv7 has the version and variant of RFC 9562 and begins with the time.', () => {
    const id = uuidv7(Date.now() + 1_000_000);
    expect(isUuid(id)).toBe(true);
    expect(id[14]).toBe('7');
    expect('89ab').toContain(id[19]);
  });

  test('Ids of one process are unique and in order, also within a millisecond and when the clock is set back.', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => uuidv7(Date.now() - (index % 7)));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  test('An id for a future time, or a clock that is set back, does not put later ids into the future.', () => {
    uuidv7(Date.now() + 1_000_000);
    const now = Date.now();
    const made = Number.parseInt(uuidv7(now).replace('-', '').slice(0, 12), 16);
    expect(made).toBe(now);
  });

  test('The ids of a moment are not less than its least id, and those before it are not greater.', () => {
    const at = Date.now() + 10_000_000;
    const [before, since] = [uuidv7(at - 1), uuidv7(at)];
    expect([before, minUuidv7(at), since].toSorted()).toEqual([before, minUuidv7(at), since]);
    for (const far of [-1, 8.64e15, 2 ** 48 - 1]) expect(isUuid(minUuidv7(far))).toBe(true);
  });

  test('Only the canonical form is accepted as an id.', () => {
    expect(isUuid('0190A000-0000-7000-8000-000000000000')).toBe(false);
    expect(isUuid('12345')).toBe(false);
    expect(isUuid("' OR 1=1 --")).toBe(false);
  });
});
