import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../../audit/data/audit-log.ts';
import type { StoredResource } from '../data/rows.ts';

/** Whether two states say the same: then nothing happened, and nothing is written or told. */
export const isSame = (before: StoredResource, after: StoredResource): boolean =>
  isDeepStrictEqual(before.data, after.data) &&
  isDeepStrictEqual(before.externalIds, after.externalIds) &&
  isDeepStrictEqual(before.vouchedEmails ?? {}, after.vouchedEmails ?? {});

/** What differs between two states, by top-level attribute; passwords never get this far. */
export function changesBetween(
  before: StoredResource | undefined,
  after: StoredResource | undefined,
): Changes {
  const then = flat(before);
  const now = flat(after);
  const changes: Changes = {};
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    if (isDeepStrictEqual(then[name], now[name])) continue;
    changes[name] = {
      ...(then[name] !== undefined && { before: then[name] }),
      ...(now[name] !== undefined && { after: now[name] }),
    };
  }
  return changes;
}

/** The SCIM attributes that changes are about: a source's `externalId` is kept by source, and who stands for addresses apart from them. */
export const attributesIn = (changes: Changes): string[] => [
  ...new Set(Object.keys(changes).map((name) => attributeOf[name] ?? name)),
];

const attributeOf: Readonly<Record<string, string>> = { externalIds: 'externalId', vouchedEmails: 'emails' };

const flat = (state: StoredResource | undefined): Record<string, unknown> => {
  if (!state) return {};
  const { schemas, ...attributes } = state.data;
  void schemas;
  return {
    ...attributes,
    ...(Object.keys(state.externalIds).length > 0 && { externalIds: state.externalIds }),
    ...(Object.keys(state.vouchedEmails ?? {}).length > 0 && { vouchedEmails: state.vouchedEmails }),
  };
};
