import * as v from 'valibot';

const text = v.optional(v.fallback(v.string(), ''));

/** State of the list in the address, so that it can be shared. */
export const listSearch = v.object({
  /** Text of the search field. */
  q: text,
  /** A SCIM filter (RFC 7644 §3.4.2.2). */
  filter: text,
  active: v.optional(v.fallback(v.picklist(['yes', 'no']), 'yes')),
  /** Column names, separated by commas. */
  columns: text,
  /** Sort field, with a leading minus for descending order. */
  order: text,
});

export type ListSearch = v.InferOutput<typeof listSearch>;
