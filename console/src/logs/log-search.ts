import * as v from 'valibot';

const text = v.optional(v.fallback(v.string(), ''));

export const logSearch = v.object({
  /** Only these logs, by their names with commas between. */
  logs: text,
  /** Ids of a person it is about, an app, anything else it is about, and of who did it. */
  person: text,
  app: text,
  resource: text,
  actor: text,
  request: text,
  trace: text,
  address: text,
  /** As the log has it: `user.deactivated`. */
  action: text,
  /** From and before an instant. */
  since: text,
  until: text,
  failed: v.optional(v.fallback(v.literal('yes'), 'yes')),
  live: v.optional(v.fallback(v.literal('yes'), 'yes')),
  /** The entry that is open: `audit:{id}`. */
  entry: text,
});

export type LogSearch = v.InferOutput<typeof logSearch>;
