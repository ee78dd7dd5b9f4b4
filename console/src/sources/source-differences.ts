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

/** The quirks as an input has them: those that were said for this source. */
const overridden = ({ quirks }: SourceSettings) =>
  quirks.flatMap(({ quirk, enabled, overridden: isSaid }) => (isSaid ? [{ enabled, quirk }] : []));

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (JSON.stringify(value, (key, inner) => (key === '__typename' ? undefined : inner)) ?? '');

/** In the same order of keys, whoever wrote it. */
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

/** What somebody is about to save that is something else meanwhile. */
export const differencesOf = (input: SourceInput, theirs: SourceSettings) =>
  members.flatMap((member) => {
    if (input[member] === undefined) return [];
    const theirsText = text(sorted(member === 'quirks' ? overridden(theirs) : theirs[member]));
    const yoursText = text(sorted(input[member]));
    return theirsText === yoursText ? [] : [{ member, theirs: theirsText, yours: yoursText }];
  });
