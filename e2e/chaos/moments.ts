import type { ServiceName } from '@ostiary/embedded/system';

interface At {
  service: ServiceName;
  link: 'postgres' | 'valkey';
  /** Strings that pass on one connection, in this order. */
  pattern: readonly string[];
  /** The strings are in the answer. */
  answered?: true;
  /** The bytes that complete the pattern are forwarded; the answer is withheld. */
  arrives: boolean;
  /** The withheld answer is the one after which no transaction is open: the work is committed. */
  committed?: true;
  /** Only this kind of offboarding reaches the moment. */
  only?: 'deactivation' | 'deletion';
}

/** Moments of an offboarding at which a process may be killed, each defined by the bytes on a link. */
export const moments = {
  'before the commit': { service: 'directory', link: 'postgres', pattern: ['user.de'], arrives: false },
  'after the commit of a deactivation': {
    service: 'directory',
    link: 'postgres',
    pattern: ['user.deactivated'],
    arrives: true,
    committed: true,
    only: 'deactivation',
  },
  'after the commit of a deletion': {
    service: 'directory',
    link: 'postgres',
    pattern: ['user.deleted'],
    arrives: true,
    committed: true,
    only: 'deletion',
  },
  'before the relay': { service: 'directory', link: 'valkey', pattern: ['user.de'], arrives: false },
  'after the relay': { service: 'directory', link: 'valkey', pattern: ['user.de'], arrives: true },
  'with the job': { service: 'auth', link: 'valkey', pattern: ['user.de'], answered: true, arrives: false },
  'with the job of the other consumer': {
    service: 'provisioning',
    link: 'valkey',
    pattern: ['user.de'],
    answered: true,
    arrives: false,
  },
  'before the effect': { service: 'auth', link: 'postgres', pattern: ['departure'], arrives: false },
  'before the commit of inbox and effect': {
    service: 'auth',
    link: 'postgres',
    pattern: ['departure', 'COMMIT'],
    arrives: false,
  },
  'after the commit of inbox and effect': {
    service: 'auth',
    link: 'postgres',
    pattern: ['departure', 'COMMIT'],
    arrives: true,
    committed: true,
  },
  'before the commit of the other inbox': {
    service: 'provisioning',
    link: 'postgres',
    pattern: ['"resource_type":"User"', 'COMMIT'],
    arrives: false,
  },
  'before the publication': {
    service: 'auth',
    link: 'valkey',
    pattern: ['"kind":"subject"'],
    arrives: false,
  },
  'after the publication': { service: 'auth', link: 'valkey', pattern: ['"kind":"subject"'], arrives: true },
} as const satisfies Record<string, At>;

export type Moment = keyof typeof moments;

export const whereIs = (moment: Moment): At => moments[moment];
