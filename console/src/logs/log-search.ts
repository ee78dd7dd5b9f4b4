import * as v from 'valibot';

const text = v.optional(v.fallback(v.string(), ''));

export const logSearch = v.object({
  /** Names of the searched logs, separated by commas. */
  logs: text,
  /** Ids of the affected user, client or other resource, and of the actor. */
  person: text,
  app: text,
  resource: text,
  actor: text,
  request: text,
  trace: text,
  address: text,
  /** Event name, such as `user.deactivated`. */
  action: text,
  /** Start (inclusive) and end (exclusive) of the period. */
  since: text,
  until: text,
  failed: v.optional(v.fallback(v.literal('yes'), 'yes')),
  live: v.optional(v.fallback(v.literal('yes'), 'yes')),
  /** Key of the open entry: `audit:{id}`. */
  entry: text,
});

export type LogSearch = v.InferOutput<typeof logSearch>;
