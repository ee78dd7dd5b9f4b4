import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyStem, keyValidation, readValid, type SealedValues } from '@ostiary/service';
import type { Redis } from 'ioredis';
import type { AuthorizationRequest } from '../../oauth/index.ts';

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

const take = `${keyValidation}
only(KEYS[1], 'string')
local interaction = redis.call('GETDEL', KEYS[1])
if interaction then redis.call('SET', KEYS[2], '', 'EX', ARGV[1]) end
return interaction`;

/** Interactions in Redis, sealed, under the digest of their id: Redis gives nobody a way into one, nor out of it with more. */
export function createInteractions(o: { redis: Redis; prefix: string; values: SealedValues }): Interactions {
  const { redis, values } = o;
  // The hash tag keeps both keys of an interaction on one node of a cluster.
  const key = (tenant: string, id: string): string =>
    `${keyStem(o.prefix, 'interaction')}{${createHash('sha256').update(`${tenant}\0${id}`).digest('base64url')}}`;
  const outcomeKey = (tenant: string, id: string): string => `${key(tenant, id)}:outcome`;
  const place = (tenant: string, name: string) => ({ purpose: 'interaction', tenant, key: name }) as const;
  const seal = (tenant: string, id: string, interaction: Interaction): string =>
    values.seal(place(tenant, key(tenant, id)), JSON.stringify(interaction), interactionSeconds);
  const read = (tenant: string, id: string, sealed: string | null): Interaction | undefined => {
    const opened = sealed === null ? undefined : values.open(place(tenant, key(tenant, id)), sealed);
    return opened === undefined ? undefined : (JSON.parse(opened) as Interaction);
  };

  return {
    async put(tenant, id, interaction) {
      await redis.set(key(tenant, id), seal(tenant, id, interaction), 'EX', interactionSeconds);
    },
    async find(tenant, id) {
      return read(tenant, id, await readValid(redis.get(key(tenant, id))));
    },
    async signIn(tenant, id, interaction) {
      const answer = await redis.set(key(tenant, id), seal(tenant, id, interaction), 'KEEPTTL', 'XX');
      return answer === 'OK';
    },
    async take(tenant, id) {
      const taken = await redis.eval(take, 2, key(tenant, id), outcomeKey(tenant, id), outcomeSeconds);
      return read(tenant, id, taken as string | null);
    },
    async conclude(tenant, id, outcome) {
      const name = outcomeKey(tenant, id);
      const sealed = values.seal(place(tenant, name), outcome.toString('base64url'), outcomeSeconds);
      await redis.set(name, sealed, 'KEEPTTL', 'XX');
    },
    async outcome(tenant, id) {
      const name = outcomeKey(tenant, id);
      for (let waited = 0; waited < outcomePatienceMs; waited += outcomePollMs) {
        const outcome = await readValid(redis.get(name));
        if (outcome === null) return undefined;
        // Empty: whoever took it is still at it.
        if (outcome !== '') {
          const opened = values.open(place(tenant, name), outcome);
          return opened === undefined ? undefined : Buffer.from(opened, 'base64url');
        }
        await sleep(outcomePollMs);
      }
      return undefined;
    },
  };
}
