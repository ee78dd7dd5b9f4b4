import * as v from 'valibot';

const text = v.optional(v.fallback(v.string(), ''));

/** What a view of the list comes down to: whoever is sent its address sees the same. */
export const listSearch = v.object({
  /** What was typed into the search field. */
  q: text,
  /** A SCIM filter (RFC 7644 §3.4.2.2). */
  filter: text,
  active: v.optional(v.fallback(v.picklist(['yes', 'no']), 'yes')),
  /** Names of columns, with commas between them. */
  columns: text,
  /** What the list is sorted by, with a minus before it for the other direction. */
  order: text,
});

export type ListSearch = v.InferOutput<typeof listSearch>;
