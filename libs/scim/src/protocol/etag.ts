/** The weak entity tag of a version, e.g. `W/"7"`: the value of `meta.version` and of the ETag header. */
export function weakEtag(version: string | number | bigint): string {
  return `W/"${version}"`;
}

/**
 * Parses an `If-Match` or `If-None-Match` header (RFC 9110 §13.1): its entity tags, or `['*']`; undefined
 * without a header. Malformed tags are omitted, so a header with no valid tag matches no version.
 */
export function parseIfMatch(header: string | readonly string[] | undefined): string[] | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  if (text.trim() === '*') return ['*'];
  // An opaque tag may contain a comma, so the header is not split at commas.
  return text.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}

/**
 * Reports whether a tag is the current one. Compares weakly (RFC 9110 §8.8.3.2), because the tags are weak
 * and RFC 7644 §3.14 uses them with If-Match. `current` undefined: the resource does not exist.
 */
export function etagMatches(tags: readonly string[], current: string | undefined): boolean {
  if (current === undefined) return false;
  return tags.some((tag) => tag === '*' || opaque(tag) === opaque(current));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
