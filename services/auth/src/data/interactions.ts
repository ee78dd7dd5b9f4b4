import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { AuthorizationRequest } from '../domain/authorize-request.ts';

/** An authorization request waiting for a person: to sign in, to consent, or both. */
export interface Interaction {
  request: AuthorizationRequest;
  /** Digest of the browser's binding cookie: no other browser can go on with it. */
  browser: string;
  /** The session this request goes on with; set by signing in, or from the start when only consent is missing. */
  sessionId?: string;
  /** Whether the person signed in for this request, which satisfies prompt=login and max_age. */
  signedIn?: boolean;
  /** Whether the person chose to go on with `sessionId`, which satisfies prompt=select_account. */
  selected?: boolean;
  /** A page of ours the person wants to see: then there is no client, and `request` holds little. */
  returnTo?: string;
  /** Whose password was right, while their second factor is still missing. */
  pending?: PendingSignIn;
}

/** A sign-in that waits for its second factor. It counts for nothing but asking for that. */
export interface PendingSignIn {
  subjectId: string;
  /** The subject's epoch when the password was right: a departure ends this too. */
  subjectEpoch: number;
  /** Digest of the password's hash: changing the password ends this too. */
  password: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Interactions {
  put(tenant: string, id: string, interaction: Interaction): Promise<void>;
  find(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Notes the session of an interaction that is still open; false when it no longer is. */
  signIn(tenant: string, id: string, interaction: Interaction): Promise<boolean>;
  /** Takes the interaction out: of any number of callers exactly one gets it. */
  take(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Keeps how it ended for a moment, sealed by the caller, for a form that is sent twice. */
  conclude(tenant: string, id: string, outcome: Buffer): Promise<void>;
  /** How it ended just now; waits a moment for the caller who took it. Undefined: it didn't, or long ago. */
  outcome(tenant: string, id: string): Promise<Buffer | undefined>;
}

/** Seconds a person has for signing in and consenting. */
const interactionSeconds = 1_800;

/** Seconds in which a second click is taken for the first. */
const outcomeSeconds = 30;
const outcomePollMs = 25;
const outcomePatienceMs = 1_500;

const take = `
local interaction = redis.call('GETDEL', KEYS[1])
if interaction then redis.call('SET', KEYS[2], '', 'EX', ARGV[1]) end
return interaction`;

/** Interactions in Redis, under the digest of their id: reading Redis gives nobody a way into one. */
export function createInteractions(redis: Redis, prefix: string): Interactions {
  // The hash tag keeps both keys of an interaction on one node of a cluster.
  const key = (tenant: string, id: string): string =>
    `${prefix}:auth:interaction:{${createHash('sha256').update(`${tenant}\0${id}`).digest('base64url')}}`;
  const outcomeKey = (tenant: string, id: string): string => `${key(tenant, id)}:outcome`;
  const parse = (text: string | null): Interaction | undefined =>
    text === null ? undefined : (JSON.parse(text) as Interaction);

  return {
    async put(tenant, id, interaction) {
      await redis.set(key(tenant, id), JSON.stringify(interaction), 'EX', interactionSeconds);
    },
    async find(tenant, id) {
      return parse(await redis.get(key(tenant, id)));
    },
    async signIn(tenant, id, interaction) {
      const answer = await redis.set(key(tenant, id), JSON.stringify(interaction), 'KEEPTTL', 'XX');
      return answer === 'OK';
    },
    async take(tenant, id) {
      const taken = await redis.eval(take, 2, key(tenant, id), outcomeKey(tenant, id), outcomeSeconds);
      return parse(taken as string | null);
    },
    async conclude(tenant, id, outcome) {
      await redis.set(outcomeKey(tenant, id), outcome, 'KEEPTTL', 'XX');
    },
    async outcome(tenant, id) {
      for (let waited = 0; waited < outcomePatienceMs; waited += outcomePollMs) {
        const outcome = await redis.getBuffer(outcomeKey(tenant, id));
        if (outcome === null) return undefined;
        if (outcome.length > 0) return outcome;
        await sleep(outcomePollMs);
      }
      return undefined;
    },
  };
}
