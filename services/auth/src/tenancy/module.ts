import { RevocationFollower, type RevocationList } from '@ostiary/access';
import { type HttpPeer, type KeptKeys, repeat, SealedValues, streamSignatures } from '@ostiary/service';
import type { Platform, Process } from '../platform/module.ts';
import { postgresFacts } from './events/data/facts.ts';
import { DirectoryFacts, type DirectoryFactsOptions } from './events/domain/directory-facts.ts';
import { createKeptKeys } from './keys/data/kept-keys.ts';
import { needingRedis } from './keys/data/needing-redis.ts';
import { SealedNotes } from './keys/data/sealed-notes.ts';
import { SigningKeys } from './keys/data/signing-keys.ts';
import { UsedValues } from './keys/data/used-values.ts';
import { MasterKeys } from './keys/domain/keys.ts';
import type { KeptPurpose } from './keys/domain/secret.ts';
import type { GenerateSigningKey } from './keys/domain/signing-keys.ts';
import { rotateDueKeys } from './keys/key-rotation.jobs.ts';
import { PostgresBrandings } from './tenants/data/branding.ts';
import { RegisteredWebOrigins } from './tenants/data/web-origins.ts';
import type { Brandings } from './tenants/domain/branding.ts';
import {
  DirectoryTenants,
  type TenantRegister,
  type TenantRegisterOptions,
} from './tenants/domain/tenants.ts';
import type { WebOrigins } from './tenants/domain/web-origins.ts';
import { AnnouncedPeople } from './users/data/changed-people.ts';
import { PostgresRevocationJournal, type RevocationJournalOptions } from './users/data/revocation-journal.ts';
import { lifetimeNotedEverySeconds, noteTokenLifetime } from './users/data/revocations.ts';
import { rekeyUserNames } from './users/data/user-names.ts';
import type { ChangedPeople } from './users/domain/changed-people.ts';
import { FeedWaiting } from './users/domain/feed-waiting.ts';
import type { RevocationJournal } from './users/domain/revocation-feed.ts';

/**
 * Interval in milliseconds of the position message in the revocation stream. Verifiers receive new revocations
 * immediately. The position lets them detect a stream that was restarted.
 */
const heartbeatMs = 3_500;

interface TenancyDependencies extends Process, Platform {
  /** Internal REST API of the directory. */
  directory: HttpPeer;
  /** Live revocations, as this process has received them. */
  revocationList: RevocationList;
  /** Monotonic milliseconds of this process, by which the age of the revocation list is measured. */
  monotonic: () => number;
  generateSigningKey?: GenerateSigningKey | undefined;
  /** Ports that higher districts implement. */
  ports: Pick<RevocationJournalOptions, 'continuity'> &
    Pick<DirectoryFactsOptions, 'cursors'> &
    Pick<TenantRegisterOptions, 'tenantStore' | 'sessionEnds' | 'eventPublisher' | 'endWeakGrants'>;
}

export interface Tenancy extends KeyServices, UserServices {
  tenants: TenantRegister;
  branding: Brandings;
  webOrigins: WebOrigins;
  /** Starts the jobs of this district. Returns the functions that stop them. */
  startTenancyJobs(): ReturnType<typeof repeat>[];
}

interface KeyServices {
  /** Master keys, from which other keys are derived. */
  keys: MasterKeys;
  /** Keys that survive a replacement of the master keys. */
  keptKeys: KeptKeys<KeptPurpose>;
  /** Seals values that are stored in Redis and trusted when they are read. */
  sealedValues: SealedValues;
  sealedNotes: SealedNotes;
  signingKeys: SigningKeys;
  /** Stores single-use values. */
  usedValues: UsedValues;
}

interface UserServices {
  revocations: RevocationJournal;
  feedWaiting: FeedWaiting;
  /** Notifies every process of users that the directory changed. */
  changedPeople: ChangedPeople;
  directoryFacts: DirectoryFacts;
}

export function createTenancy(o: TenancyDependencies): Tenancy {
  const { database, directory, env, kit, ports, tenantChanges } = o;
  const keys = keyServices(o);
  const users = userServices(o);
  const policyDefaults = env.TENANT_POLICY_DEFAULTS;
  const { clock } = kit;
  const tenants = new DirectoryTenants({
    ...ports,
    database,
    directory,
    revocations: users.revocations,
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    policyDefaults,
    tenantChanges,
    clock,
  });
  return {
    ...keys,
    ...users,
    tenants,
    branding: new PostgresBrandings({ database, tenantChanges, clock }),
    webOrigins: new RegisteredWebOrigins({
      sql: database.sql,
      tenants,
      policyDefaults,
      tenantChanges,
      clock,
    }),
    startTenancyJobs: () => [...startFeed(o, users.revocations), ...startKeyRounds(o, keys.signingKeys)],
  };
}

function keyServices(o: TenancyDependencies): KeyServices {
  const { database, env, kit, redis } = o;
  const keys = new MasterKeys(env.ENCRYPTION_KEY, env.ENCRYPTION_KEY_SECOND);
  const sealedValues = new SealedValues({ ring: keys.of('redis-value'), ...kit });
  return {
    keys,
    keptKeys: createKeptKeys({ database, keys, kit }),
    sealedValues,
    sealedNotes: needingRedis(new SealedNotes({ redis, prefix: env.REDIS_PREFIX, values: sealedValues })),
    signingKeys: new SigningKeys({
      database,
      ring: keys.of('signing-key'),
      longestToken: Math.max(env.ACCESS_TOKEN_TTL_SECONDS, env.ID_TOKEN_TTL_SECONDS),
      tenantChanges: o.tenantChanges,
      kit,
      generate: o.generateSigningKey,
    }),
    usedValues: new UsedValues({ sql: database.sql, keys: keys.of('used-values') }),
  };
}

function userServices(o: TenancyDependencies): UserServices {
  const { database, env, kit, redis, ports, revocationList: list } = o;
  const revocations = new PostgresRevocationJournal({
    sql: database.sql,
    continuity: ports.continuity,
    redis,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    list,
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    log: kit.log,
  });
  return {
    revocations,
    feedWaiting: new FeedWaiting({ revocations, list, monotonic: o.monotonic }),
    changedPeople: new AnnouncedPeople(database),
    directoryFacts: new DirectoryFacts({ facts: postgresFacts, cursors: ports.cursors }),
  };
}

/** Starts the jobs of the revocation feed. */
function startFeed(
  { database, env, kit: { log }, ...o }: TenancyDependencies,
  revocations: RevocationJournal,
) {
  const follower = new RevocationFollower({
    list: o.revocationList,
    redisUrl: env.REDIS_URL,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    pull: (after) => revocations.page(after),
    log,
    clock: o.monotonic,
  });
  follower.start();
  return [
    () => follower.stop(),
    repeat({
      name: 'revocation heartbeat',
      everyMs: heartbeatMs,
      log,
      work: () => revocations.heartbeat(follower.maxSeq),
    }),
    repeat({
      name: 'lifetime of access tokens',
      everyMs: lifetimeNotedEverySeconds * 1_000,
      log,
      work: () => noteTokenLifetime(database.sql, env.ACCESS_TOKEN_TTL_SECONDS),
    }),
  ];
}

/** Starts the jobs that rotate keys. */
function startKeyRounds({ database, env, kit: { log } }: TenancyDependencies, signingKeys: SigningKeys) {
  return [
    repeat({
      name: 'key rotation',
      everyMs: Math.min(60_000, env.SIGNING_KEY_LEAD_SECONDS * 500),
      jitter: true,
      log,
      work: (signal) =>
        rotateDueKeys(
          signingKeys,
          {
            rotationSeconds: env.SIGNING_KEY_ROTATION_SECONDS,
            leadSeconds: env.SIGNING_KEY_LEAD_SECONDS,
          },
          signal,
        ),
    }),
    repeat({
      name: 'keys of user names',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async (signal) => void (await rekeyUserNames(database.sql, () => signal.aborted)),
    }),
  ];
}
