import type { RevocationList } from '@ostiary/access';
import type { EventConsumer } from '@ostiary/events';
import { Gauge } from '@ostiary/service';
import { createAttempts } from './data/attempts.ts';
import { createInteractions, type Interactions } from './data/interactions.ts';
import { createRevocationJournal, type RevocationJournal } from './data/revocation-journal.ts';
import { createLogin, type Login } from './domain/login.ts';
import { createPasswordHasher, type PasswordHasher } from './domain/password.ts';
import type { AuthDependencies, Foundation, PeoplePorts, ProtocolPorts } from './domain/ports.ts';
import { createSessions, type SessionRegister } from './domain/sessions.ts';
import { createSubjects, type SubjectRegister } from './domain/subjects.ts';
import { createTenants, type TenantRegister } from './domain/tenants.ts';
import { createDirectoryEvents } from './jobs/directory-events.ts';

/** The people half of the service, with all it can do; the protocol half sees it as `PeoplePorts`. */
export interface People extends PeoplePorts {
  tenants: TenantRegister;
  subjects: SubjectRegister;
  sessions: SessionRegister;
  revocations: RevocationJournal;
  interactions: Interactions;
  passwords: PasswordHasher;
  login: Login;
  /** Started by `startJobs`. */
  directoryEvents: EventConsumer;
}

/** What the people's routes, graph and jobs are made from. */
export type PeopleDependencies = Omit<AuthDependencies, keyof PeoplePorts> & People;

/** Builds the people half on the foundation and what the protocol half gives it. */
export function createPeoplePorts(
  o: Foundation & Pick<ProtocolPorts, 'grants'> & { revocationList: RevocationList },
): People {
  const { database, redis, directory, env, kit } = o;
  const prefix = env.REDIS_PREFIX;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;

  const revocations = createRevocationJournal({
    sql: database.sql,
    redis,
    prefix,
    list: o.revocationList,
    log: kit.log,
  });
  const subjects = createSubjects({
    database,
    directory,
    revocations,
    departure: { grants: o.grants, revocations, accessTokenSeconds },
  });
  const tenants = createTenants({ database, directory, revocations, accessTokenSeconds, clock: kit.clock });
  const passwords = createPasswordHasher({ concurrency: env.PASSWORD_HASH_CONCURRENCY });
  new Gauge({
    name: 'auth_password_hashes_waiting',
    help: 'Sign-ins waiting for their turn to have the password hashed',
    registers: [kit.metrics],
    collect() {
      this.set(passwords.waiting);
    },
  });
  return {
    revocations,
    subjects,
    passwords,
    tenants,
    sessions: createSessions({
      database,
      revocations,
      grants: o.grants,
      encryptionKey: env.ENCRYPTION_KEY,
      idleSeconds: env.SESSION_IDLE_SECONDS,
      absoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
      accessTokenSeconds,
    }),
    interactions: createInteractions(redis, prefix),
    login: createLogin({
      sql: database.sql,
      subjects,
      passwords,
      attempts: createAttempts(redis, prefix),
    }),
    directoryEvents: createDirectoryEvents(o, { subjects, tenants, revocations }),
  };
}
