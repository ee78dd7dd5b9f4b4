import { expect } from '@jest/globals';

/**
 * Compares the members of a registry with those that tests cover.
 * @param whatToDo instruction for a member that is not covered
 */
export function expectCovered(found: Iterable<string>, covered: Iterable<string>, whatToDo: string): void {
  const [members, known] = [new Set(found), new Set(covered)];
  expect(members.size).toBeGreaterThan(0);
  expect([...members].filter((name) => !known.has(name)).map((name) => `${name}: ${whatToDo}`)).toEqual([]);
  expect([...known].filter((name) => !members.has(name)).map((name) => `${name} does not exist.`)).toEqual(
    [],
  );
}
