import { isDeepStrictEqual } from 'node:util';
import { type Hide, type SchemaRegistry, withoutSecrets } from '@ostiary/scim';
import type { Changes } from '../../audit/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { ResourceContent, StoredResource } from './stored-resource.ts';

/** Reports whether two states are equal: then nothing is written or emitted. */
export const isSame = (before: ResourceContent, after: ResourceContent): boolean =>
  isDeepStrictEqual(before.data, after.data) &&
  isDeepStrictEqual(before.externalIds, after.externalIds) &&
  isDeepStrictEqual(before.vouchedEmails ?? {}, after.vouchedEmails ?? {});

/** Returns the differences between two states, by top-level attribute. Passwords are removed before. */
function changesBetween(before: StoredResource | undefined, after: StoredResource | undefined): Changes {
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

/**
 * Returns the SCIM attributes of changes: an `externalId` is stored by source, and the vouching for addresses
 * separately.
 */
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

/** Returns the changes for the audit log. Values that are never returned are recorded as changed, without the value. */
export function shownChanges(
  before: StoredResource | undefined,
  after: StoredResource | undefined,
  registry: SchemaRegistry,
  type: ResourceType,
): Changes {
  const had = new Map<string, Set<string>>();
  const remember: Hide = (value, path) => {
    had.set(path, (had.get(path) ?? new Set()).add(JSON.stringify(value)));
    return '(never returned)';
  };
  const compare: Hide = (value, path) =>
    had.get(path)?.has(JSON.stringify(value)) ? '(never returned)' : '(never returned, changed)';
  const shown = (stored: StoredResource | undefined, hide: Hide): StoredResource | undefined =>
    stored && { ...stored, data: withoutSecrets(stored.data, registry, type, hide) };
  return changesBetween(shown(before, remember), shown(after, compare));
}
