import { conferring, type RouteConferrals } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { type Actor, LiveRelay } from '@ostiary/events';
import { msWithoutWake, streamSignatures } from '@ostiary/service';
import type { IdTokens } from '../access/index.ts';
import type { Access } from '../access/module.ts';
import type { ClientServices } from '../clients/module.ts';
import {
  type District,
  type GraphPart,
  ofServices,
  ofTenant,
  type Platform,
  type Process,
  type Routes,
} from '../platform/module.ts';
import type { Subjects } from '../tenancy/index.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { allowedApps, otherGrants, otherSessions, strengthenSession } from './account/account.data.ts';
import { Account } from './account/account.ts';
import { accountRoutes } from './account/http/account.ts';
import { accountFactorRoutes } from './account/http/account-factors.ts';
import { accountPasswordRoutes } from './account/http/account-password.ts';
import { accountTokenRoutes } from './account/http/account-tokens.ts';
import { invitationRoutes } from './account/http/invitation.ts';
import { personalAccessTokenRoutes } from './account/http/personal-access-tokens.ts';
import { PostgresSessionList } from './sessions/data/session-list.ts';
import {
  endSession,
  endSessionsOfTenant,
  holdSession,
  liveEvents,
  sessionLocks,
  sessionStore,
} from './sessions/data/sessions.ts';
import { PostgresTenantStatistics } from './sessions/data/tenant-figures.ts';
import { SessionIdentifiers } from './sessions/domain/session-identifier.ts';
import { SessionRegister } from './sessions/domain/sessions.ts';
import { sessionLoaders } from './sessions/graph/loaders.ts';
import { type SessionGraphDependencies, sessionResolvers } from './sessions/graph/sessions.ts';
import { credentialSummaries } from './sign-in/data/credential-summaries.ts';
import { passwordStore } from './sign-in/data/credentials.ts';
import { createInteractions } from './sign-in/data/interactions.ts';
import { deleteInvitations, invitationStore } from './sign-in/data/invitations.ts';
import { RedisKnownNetworks } from './sign-in/data/known-networks.ts';
import { passkeyStore } from './sign-in/data/passkeys.ts';
import { liveApiTokens, secondFactorStore } from './sign-in/data/second-factors.ts';
import { addSignInCounts, signInCounts } from './sign-in/data/sign-in-counts.ts';
import type { AccessEnding } from './sign-in/domain/credential-store.ts';
import { Invitations } from './sign-in/domain/invitations.ts';
import { Login, type SubjectsByUserName } from './sign-in/domain/login.ts';
import { namesOf, tenantWordsOf } from './sign-in/domain/new-password.ts';
import { Passkeys } from './sign-in/domain/passkeys.ts';
import { PasswordHasher } from './sign-in/domain/password.ts';
import { type PasswordCost, passwordCost } from './sign-in/domain/password-cost.ts';
import { countedRehashes, measureWaiting } from './sign-in/domain/password-metrics.ts';
import { Recovery } from './sign-in/domain/recovery.ts';
import { endWeakGrants } from './sign-in/domain/second-factor-required.ts';
import { SecondFactors } from './sign-in/domain/second-factors.ts';
import { SignInLimits } from './sign-in/domain/sign-in-limits.ts';
import { SignInTally } from './sign-in/domain/sign-in-tally.ts';
import { StagedPasswords } from './sign-in/domain/staged-passwords.ts';
import { credentialResolvers } from './sign-in/graph/credentials.ts';
import { invitationResolvers } from './sign-in/graph/invitations.ts';
import { credentialLoaders } from './sign-in/graph/loaders.ts';
import type { AuthorizationSteps } from './sign-in/http/authorization-flow.ts';
import { credentialRoutes } from './sign-in/http/internal-credentials.ts';
import { internalInvitationRoutes } from './sign-in/http/internal-invitations.ts';
import { loginRoutes } from './sign-in/http/login.ts';
import { logoutRoutes } from './sign-in/http/logout.ts';
import { recoverRoutes } from './sign-in/http/recover.ts';
import { secondFactorRoutes } from './sign-in/http/second-factor.ts';
import { selectAccountRoutes } from './sign-in/http/select-account.ts';
import { SignInLog } from './sign-in-log/domain/sign-in-log.ts';
import { signInAttemptLoaders } from './sign-in-log/graph/loaders.ts';
import { signInAttemptResolvers } from './sign-in-log/graph/sign-in-attempts.ts';
import { insertSignInAttempt, PostgresSignInAttempts } from './sign-in-log/sign-in-attempts.data.ts';

/** Services of higher districts that this district uses. */
export interface IdentityPorts {
  subjects: Subjects & SubjectsByUserName & SessionGraphDependencies['subjects'];
  accessEnding: AccessEnding;
  authorization: AuthorizationSteps;
  idTokens: IdTokens;
}

type IdentityDependencies = Process &
  Platform &
  Tenancy &
  Access &
  ClientServices & {
    quicker?: { passwordCost?: PasswordCost } | undefined;
    higher: () => IdentityPorts;
  };

/** Rights that the modifying routes of this district confer. The process does not start with a route that is missing. */
export const identityConferrals: RouteConferrals = {
  ...conferring(
    'a session',
    'own sign-in',
    ofTenant('POST', 'login', 'login/passkey', 'login/verify', 'login/recover', 'select-account'),
  ),
  ...conferring('a credential of the user of the link', 'token made for it', ofTenant('POST', 'invitation')),
  ...conferring(
    'a way to sign in',
    'recent sign-in',
    ofTenant('POST', 'account/password', 'account/passkeys', 'account/totp', 'account/recovery-codes'),
  ),
  ...conferring(
    'a personal access token within the rights of the user',
    'recent sign-in',
    ofTenant('POST', 'account/tokens', 'personal-access-tokens'),
  ),
  ...conferring(
    'nothing',
    'recent sign-in',
    ofTenant('POST', 'account/passkeys/remove', 'account/totp/remove'),
  ),
  ...conferring('nothing', 'own sign-in', [
    ...ofTenant('POST', 'account/apps/withdraw', 'account/sessions/end', 'account/sessions/end-others'),
    ...ofTenant('POST', 'account/tokens/revoke', 'logout'),
    ...ofTenant('DELETE', 'personal-access-tokens/:id'),
  ]),
  ...conferring('rights of the operator: links', 'platform', ofServices('tenants/:tenant/invitations')),
  ...conferring(
    'a password of a user whose roles the caller can assign',
    'platform',
    ofServices('tenants/:tenant/credentials', 'tenants/:tenant/credentials/:ticket/activate'),
  ),
};

export type Identity = ReturnType<typeof createServices>;

export function createIdentity(o: IdentityDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const start: District['start'] = (pending) => {
    const live = new LiveRelay({
      database: o.database,
      channel: liveEvents.channel,
      take: liveEvents.take,
      redisUrl: o.env.REDIS_URL,
      prefix: o.env.REDIS_PREFIX,
      signatures: streamSignatures(o.env),
      log: o.kit.log,
      pollMs: msWithoutWake,
    });
    const started = live.start();
    pending.on('liveEvents', 1_000, live);
    return [
      async () => {
        await started;
        await live.stop();
      },
    ];
  };
  const district: District = { routes: routesOf(deps), graph: () => graphOf(deps), start };
  return { services, district };
}

function routesOf(o: IdentityDependencies & Identity): Routes {
  const deps = () => ({ ...o, ...o.higher() });
  return {
    pages(app) {
      const parts = deps();
      loginRoutes(app, parts);
      secondFactorRoutes(app, parts);
      recoverRoutes(app, parts);
      accountRoutes(app, parts);
      accountPasswordRoutes(app, parts);
      accountFactorRoutes(app, parts);
      accountTokenRoutes(app, parts);
      invitationRoutes(app, parts);
      logoutRoutes(app, parts);
      selectAccountRoutes(app, parts);
    },
    internal(app) {
      credentialRoutes(app, deps());
      internalInvitationRoutes(app, deps());
    },
    separate: [(app) => personalAccessTokenRoutes(app, deps())],
  };
}

function graphOf(o: IdentityDependencies & Identity): GraphPart {
  const { sql } = o.database;
  const deps = {
    ...o,
    ...o.higher(),
    credentialSummaries: (tenant: string, ids: readonly string[]) => credentialSummaries(sql, tenant, ids),
    signInAttempts: new PostgresSignInAttempts(sql),
  };
  return {
    resolvers: [
      sessionResolvers(deps),
      signInAttemptResolvers(deps),
      invitationResolvers(deps),
      credentialResolvers(deps),
    ],
    loaders: [sessionLoaders(deps), credentialLoaders(deps), signInAttemptLoaders(deps)],
  };
}

function createServices(o: IdentityDependencies) {
  const { database, env, eventPublisher, grants, keptKeys, kit, revocations, securityLog } = o;
  const ending = { eventPublisher, grants, revocations, securityLog };
  const signInTally = new SignInTally({
    write: (counts) => addSignInCounts(database.sql, counts),
    clock: kit.clock,
  });
  return {
    ...signInServices(o, signInTally),
    signInTally,
    signInLog: new SignInLog({
      insert: (tenant, attempt) => insertSignInAttempt(database.sql, tenant, attempt),
      onError: (err) =>
        kit.log.warn({ event: 'sign_in_log.insert_failed', err }, 'An attempt to sign in was not recorded'),
    }),
    /** Session identifier (`sid`) for a client. */
    sessionIdentifiers: new SessionIdentifiers(keptKeys.of('pairwise-session')),
    sessionList: new PostgresSessionList({ sql: database.sql, idleSeconds: env.SESSION_IDLE_SECONDS }),
    tenantStatistics: new PostgresTenantStatistics({
      sql: database.sql,
      replica: database.replica,
      idleSeconds: env.SESSION_IDLE_SECONDS,
      clock: kit.clock,
      signIns: (tenant, periods) =>
        database.replica.read('auth.signIns.statistics', [tenant], database.sql, (older) =>
          signInCounts(older, tenant, periods),
        ),
    }),
    liveApiTokens,
    sessionBasis: { holdSession },
    sessionEnds: { endSessionsOfTenant },
    signInEnds: { otherSessions, otherGrants, endSession },
    invitationEnds: { deleteInvitations },
    endWeakGrants: (tx: Sql, tenant: string, actor: Actor | undefined) =>
      endWeakGrants(tx, tenant, { ...ending, ...(actor && { actor }) }),
  };
}

/** Dependencies shared by sign-in, sessions and the account. */
function sharedOf({
  database,
  eventPublisher,
  higher,
  kit,
  revocations,
  securityLog,
  subjectStore,
}: IdentityDependencies) {
  const subjects: Subjects & SubjectsByUserName = {
    find: (...of) => higher().subjects.find(...of),
    findLocalByUserName: (...of) => higher().subjects.findLocalByUserName(...of),
    askByUserName: (...of) => higher().subjects.askByUserName(...of),
  };
  const access: AccessEnding = {
    endEverything: (...of) => higher().accessEnding.endEverything(...of),
    endSignIns: (...of) => higher().accessEnding.endSignIns(...of),
  };
  return {
    database,
    securityLog,
    subjects,
    credentials: passwordStore,
    factors: secondFactorStore,
    invitations: invitationStore,
    passkeys: passkeyStore,
    subjectLocks: subjectStore,
    sessionLocks,
    access,
    events: eventPublisher,
    revocations,
    clock: kit.clock,
  };
}

/** Passwords, second factors, passkeys and the links with which users set them. */
function factorServices(o: IdentityDependencies, shared: Shared) {
  const { env, keptKeys, keys } = o;
  const passwords = new PasswordHasher({
    concurrency: env.PASSWORD_HASH_CONCURRENCY,
    cost: o.quicker?.passwordCost ?? passwordCost(env.PASSWORD_HASH_COST),
  });
  measureWaiting(o.kit, passwords);
  return {
    passwords,
    secondFactors: new SecondFactors({
      ...shared,
      guesses: o.guesses,
      keys: keys.of('totp'),
      codeKey: keptKeys.of('recovery-code'),
    }),
    passkeys: new Passkeys({
      ...shared,
      usedValues: o.usedValues,
      keys: keys.of('passkey-challenge'),
      publicOrigin: env.PUBLIC_ORIGIN,
    }),
    invitations: createInvitations(o, shared),
    stagedPasswords: createStagedPasswords(o, shared, passwords),
  };
}

function signInServices(o: IdentityDependencies, signInTally: SignInTally) {
  const { env, guesses, redis } = o;
  const shared = sharedOf(o);
  const factors = factorServices(o, shared);
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const sealed = { redis, prefix: env.REDIS_PREFIX, values: o.sealedValues };
  const limits = new SignInLimits({
    known: new RedisKnownNetworks({ ...sealed, names: o.keys.of('network') }),
    attempts: o.attempts,
    guesses,
    tenantFailures: env.SIGN_IN_TENANT_FAILURES,
  });
  return {
    ...factors,
    sessions: new SessionRegister({
      ...shared,
      sessions: sessionStore,
      grants: o.grants,
      key: o.keptKeys.of('session'),
      idleSeconds: env.SESSION_IDLE_SECONDS,
      absoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
      accessTokenSeconds,
    }),
    interactions: createInteractions(sealed),
    login: new Login({
      ...shared,
      sql: o.database.sql,
      passwords: factors.passwords,
      limits,
      onOutcome: (tenant, outcome) => signInTally.note(tenant, outcome),
      onRehash: countedRehashes(o.kit),
    }),
    account: new Account({
      ...shared,
      ...factors,
      apps: allowedApps,
      strength: { strengthen: strengthenSession },
      invitations: shared.invitations,
      grants: o.grants,
      tokens: { revokeBy: (...of) => o.apiTokenStore.revokeApiTokensBy(...of) },
      guesses,
      accessTokenSeconds,
    }),
    recovery: new Recovery({ ...shared, ...factors, limits }),
  };
}

type Shared = ReturnType<typeof sharedOf>;

const createStagedPasswords = (
  { env, tenants }: IdentityDependencies,
  shared: Shared,
  passwords: PasswordHasher,
): StagedPasswords =>
  new StagedPasswords({
    ...shared,
    passwords,
    minLength: env.PASSWORD_MIN_LENGTH,
    async wordsAbout(of, subjectId) {
      const [tenant, subject] = await Promise.all([tenants.find(of), shared.subjects.find(of, subjectId)]);
      return { names: namesOf(subject?.profile), tenantWords: tenant ? tenantWordsOf(tenant) : [] };
    },
  });

const createInvitations = (
  { consentStore, issuer, keptKeys, knowers, roleStore }: IdentityDependencies,
  shared: Shared,
): Invitations =>
  new Invitations({
    ...shared,
    knowers,
    roles: { of: (...of) => roleStore.rolesOf(...of) },
    consents: { forget: (...of) => consentStore.forgetConsents(...of) },
    key: keptKeys.of('invitation'),
    issuer,
  });
