import type { SourceInput, SourceSettings } from './source.ts';

const members = [
  'name',
  'access',
  'resourceTypes',
  'vouchesForEmails',
  'protectedAccounts',
  'limits',
  'attributes',
  'profile',
  'quirks',
] as const;

/** Returns the quirks in the input format: those that are set for this source. */
const overridden = ({ quirks }: SourceSettings) =>
  quirks.flatMap(({ quirk, enabled, overridden: isSaid }) => (isSaid ? [{ enabled, quirk }] : []));

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (JSON.stringify(value, (key, inner) => (key === '__typename' ? undefined : inner)) ?? '');

/** Sorts the keys of objects, so that equal values have equal texts. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([key]) => key !== '__typename')
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : value;

/** Returns the members of the input that differ from a concurrent change. */
export const differencesOf = (input: SourceInput, theirs: SourceSettings) =>
  members.flatMap((member) => {
    if (input[member] === undefined) return [];
    const theirsText = text(sorted(member === 'quirks' ? overridden(theirs) : theirs[member]));
    const yoursText = text(sorted(input[member]));
    return theirsText === yoursText ? [] : [{ member, theirs: theirsText, yours: yoursText }];
  });
