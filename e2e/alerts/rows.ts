import type { Course } from './recording.ts';

/** Faults of the system. Each is recorded under its name. */
export type FaultName =
  | 'postgresql'
  | 'redis'
  | 'auth'
  | 'directory'
  | 'provisioning'
  | 'edge'
  | 'gateway alone'
  | 'guard'
  | 'restarts'
  | 'locked'
  | 'slow'
  | 'certificate ends'
  | 'certificate ended'
  | 'event loop'
  | 'one tenant'
  | 'guessed'
  | 'hashes'
  | 'late departure'
  | 'poisoned'
  | 'receiver away'
  | 'receiver gone'
  | 'predecessor'
  | 'log'
  | 'forged'
  | 'renewal'
  | 'takeover';

/** A fault that triggers an alert. */
export interface Row {
  alert: string;
  labels?: Readonly<Record<string, string>>;
  /** Name under which the fault is recorded. */
  fault: FaultName;
  /** Maximum time in seconds from the first sample that shows the fault until the alert fires. */
  within: number;
  /** Default `lasting`. */
  course?: Course;
}

const minute = 60;
/** `for` of the rules that page for unavailable services and dependencies, in seconds. */
const pageAfterSeconds = 15;

const down = (fault: FaultName, dependency: string, ...by: string[]): Row[] =>
  by.map((service) => ({
    alert: 'OstiaryDependencyDown',
    labels: { service, dependency },
    fault,
    within: pageAfterSeconds,
  }));

const gone = (fault: FaultName, service: string): Row => ({
  alert: 'OstiaryProcessDown',
  labels: { service },
  fault,
  within: pageAfterSeconds,
});

const notReady = (fault: FaultName, ...names: string[]): Row[] =>
  names.map((service) => ({
    alert: 'OstiaryNotReady',
    labels: { service },
    fault,
    within: pageAfterSeconds,
  }));

const errors = (fault: FaultName, service: string): Row => ({
  alert: 'OstiaryErrors',
  labels: { service },
  fault,
  within: 6 * minute,
});

const row = (alert: string, fault: FaultName, within: number, more: Partial<Row> = {}): Row => ({
  alert,
  fault,
  within,
  ...more,
});
const of = (...pairs: [string, string][]): Partial<Row> => ({ labels: Object.fromEntries(pairs) });
const once: Partial<Row> = { course: 'once' };

/** Every alert and the fault that triggers it. Each dependency is unavailable once. */
export const rows: readonly Row[] = [
  ...down('postgresql', 'postgresql', 'auth', 'directory', 'provisioning'),
  ...down('redis', 'redis', 'auth', 'directory', 'provisioning', 'gateway'),
  ...down('redis', 'live', 'gateway'),
  ...down('auth', 'auth', 'directory', 'provisioning', 'gateway'),
  ...down('auth', 'revocations', 'directory', 'provisioning', 'gateway'),
  ...down('directory', 'directory', 'auth', 'provisioning', 'gateway'),
  ...down('provisioning', 'provisioning', 'gateway'),
  gone('auth', 'auth'),
  gone('directory', 'directory'),
  gone('edge', 'provisioning'),
  gone('edge', 'gateway'),
  gone('guard', 'guard'),
  ...notReady('postgresql', 'auth', 'directory', 'provisioning'),
  ...notReady('gateway alone', 'gateway'),
  errors('postgresql', 'auth'),
  errors('postgresql', 'provisioning'),
  row('OstiarySignInsFailing', 'postgresql', 3 * minute),
  row('OstiaryTenantSignInsFailing', 'one tenant', 2 * minute),
  row('OstiarySignInsRefused', 'guessed', 8 * minute),
  row('OstiarySignInsWaiting', 'hashes', 3 * minute),
  row('OstiaryPoolSaturated', 'locked', 3 * minute, of(['service', 'auth'])),
  row('OstiarySlow', 'slow', 12 * minute, of(['service', 'auth'])),
  row('OstiaryEventLoopBlocked', 'event loop', 11 * minute, of(['service', 'gateway'])),
  row('OstiaryCommitsMayBeLost', 'takeover', minute, { ...of(['service', 'directory']), ...once }),
  row('OstiaryCertificateExpiring', 'certificate ends', 11 * minute, of(['of', 'public origin'])),
  row('OstiaryCertificateExpired', 'certificate ended', 0, of(['of', 'public origin'])),
  row('OstiaryProcessRestarting', 'restarts', minute, { ...of(['service', 'provisioning']), ...once }),
  row('OstiarySubgraphFailing', 'directory', 7 * minute, of(['subgraph', 'directory'])),
  row('OstiaryRevocationFeedOld', 'auth', pageAfterSeconds, of(['service', 'gateway'])),
  row('OstiaryDeparturesSlow', 'late departure', 2 * minute),
  row('OstiaryDeparturesNotPushed', 'redis', 6 * minute),
  row('OstiaryOutboxOld', 'auth', minute, of(['service', 'directory'], ['consumer', 'auth'])),
  row('OstiaryOutboxFailing', 'redis', 11 * minute, of(['step', 'send'])),
  row('OstiaryEventPoisoned', 'poisoned', 5 * minute, of(['consumer', 'auth'])),
  row('OstiaryGroupRolesOld', 'directory', minute),
  row('OstiaryDeliveriesOld', 'receiver away', 5 * minute, of(['kind', 'webhook'])),
  row('OstiaryDeliveriesFailing', 'receiver away', 16 * minute, of(['kind', 'webhook'])),
  row('OstiaryDeliveriesDead', 'receiver gone', minute, { ...of(['kind', 'webhook']), ...once }),
  row('OstiaryDeliveriesOutOfOrder', 'predecessor', minute, once),
  row('OstiaryProvisioningLogIncomplete', 'log', minute, once),
  row('OstiaryRedisValuesRefused', 'forged', pageAfterSeconds, {
    ...of(['service', 'auth'], ['purpose', 'interaction']),
    ...once,
  }),
  row('OstiaryKeyRenewalStuck', 'renewal', 65 * minute, of(['service', 'provisioning'])),
];

/** Alerts that a fault must not trigger, with the reason. */
export const silences: readonly (Row & { why: string })[] = [
  {
    ...errors('postgresql', 'directory'),
    why: 'only probes and what processes ask each other fail there',
  },
  { ...gone('auth', 'guard'), why: 'no guard was deployed' },
  { ...row('OstiarySignInsFailing', 'guessed', 0), why: 'wrong passwords are no fault of ours' },
  { ...row('OstiaryTenantSignInsFailing', 'guessed', 0), why: 'wrong passwords are no fault of ours' },
];
