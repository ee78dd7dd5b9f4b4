import type { ScimError, ScimType } from './errors.ts';

/** Terms of SCIM's protocol (parameters, messages, documents), meaningless to clients of the graph. */
const protocolWords = new RegExp(
  [
    String.raw`\b(startIndex|itemsPerPage|totalResults|sortBy|sortOrder|excludedAttributes|scimType|cursors?)\b`,
    String.raw`\b(PATCH|Bulk|Operations|operations|If-Match|paths?|RFC (7642|7643|7644|9865))\b`,
    String.raw`\bmembers\[|"(schemas|count|attributes|after|op|value)"`,
  ].join('|'),
);

/** Replacement for a detail without a version for the graph. */
const plainly: Partial<Record<ScimType, string>> = {
  invalidFilter: 'The filter contains a comparison that is not supported.',
  invalidPath: 'The input contains an attribute that does not exist or cannot be used here.',
  noTarget: 'The input refers to a value that does not exist.',
  mutability: 'The input changes an attribute that cannot be changed.',
  tooMany: 'Too many results match. Narrow "filter" or "where".',
  invalidCursor: '"after" or "before" is not a cursor of this list.',
  expiredCursor: '"after" or "before" is an expired cursor: start again without it.',
  invalidCount: '"first" or "last" is out of range.',
  uniqueness: 'The value is already in use.',
  invalidVers: 'There is no such version.',
  sensitive: 'The input must not be sent in this form.',
};

/** Reports whether a text has advice for SCIM clients only. */
const usesProtocolWords = (detail: string): boolean => protocolWords.test(detail);

/**
 * Returns the message of an error for clients of the graph. Attribute names are the same in both protocols;
 * parameters and messages are not.
 */
export function graphDetail({ status, detail, scimType, inGraph }: ScimError): string {
  if (inGraph !== undefined) return inGraph;
  if (!usesProtocolWords(detail)) return detail;
  const said = scimType === undefined ? undefined : plainly[scimType];
  if (said !== undefined) return said;
  return status === 413 ? 'The input is too large.' : 'The input is invalid.';
}
