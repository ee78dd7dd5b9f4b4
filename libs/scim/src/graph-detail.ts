import type { ScimError, ScimType } from './errors.ts';

/** Words of SCIM's protocol: parameters, messages, documents. To a client that never sent SCIM they say nothing. */
const protocolWords = new RegExp(
  [
    String.raw`\b(startIndex|itemsPerPage|totalResults|sortBy|sortOrder|excludedAttributes|scimType|cursors?)\b`,
    String.raw`\b(PATCH|Bulk|Operations|operations|If-Match|paths?|RFC (7642|7643|7644|9865))\b`,
    String.raw`\bmembers\[|"(schemas|count|attributes|after|op|value)"`,
  ].join('|'),
);

/** What remains to be said where a detail has no words of its own for the graph. */
const plainly: Partial<Record<ScimType, string>> = {
  invalidFilter: 'The filter asks for something that cannot be compared.',
  invalidPath: 'The input names an attribute that does not exist, or cannot be used here.',
  noTarget: 'The input names a value that is not there.',
  mutability: 'The input changes an attribute that cannot be changed.',
  tooMany: 'Too much matches: make "filter" or "where" narrower.',
  invalidCursor: '"after" or "before" is not a cursor of this list.',
  expiredCursor: '"after" or "before" is an expired cursor: start again without it.',
  invalidCount: '"first" or "last" is out of range.',
  uniqueness: 'The value is taken.',
  invalidVers: 'There is no such version.',
  sensitive: 'The input must not be sent like this.',
};

/** Whether a text gives advice that only a client of SCIM can follow. */
const usesProtocolWords = (detail: string): boolean => protocolWords.test(detail);

/**
 * What an error says to a client of the graph: the one place where SCIM's words become the graph's. Names of attributes are the same in
 * both; parameters and messages aren't.
 */
export function graphDetail({ status, detail, scimType, inGraph }: ScimError): string {
  if (inGraph !== undefined) return inGraph;
  if (!usesProtocolWords(detail)) return detail;
  const said = scimType === undefined ? undefined : plainly[scimType];
  if (said !== undefined) return said;
  return status === 413 ? 'The input is too large.' : 'The input is not acceptable.';
}
