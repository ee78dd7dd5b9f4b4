/** Assigns every test file to a tier. `npm test` runs the first one, `npm run test:full` both. */

export type Tier = 'first' | 'rest';

interface Group {
  readonly files: RegExp;
  readonly reason: string;
}

/** End-to-end tests of the first tier: one per surface, all on the shared system. The others are in the second tier. */
export const surfaces: readonly Group[] = [
  {
    files: /^e2e\/oauth\/openid\.test\.ts$/,
    reason: 'OAuth and OpenID Connect: the code flow of two clients.',
  },
  { files: /^e2e\/oauth\/device\.test\.ts$/, reason: 'The device flow.' },
  { files: /^e2e\/scim\/scim\.test\.ts$/, reason: 'SCIM: an identity source.' },
  { files: /^e2e\/graph\/graph\.test\.ts$/, reason: 'The graph: queries and mutations over three services.' },
  { files: /^e2e\/graph\/live\.test\.ts$/, reason: 'Subscriptions over server-sent events and WebSocket.' },
  { files: /^e2e\/tenants\/isolation\.test\.ts$/, reason: 'Isolation of tenants.' },
  { files: /^e2e\/console\/session\.test\.ts$/, reason: 'Browser: the sign-in page and the console.' },
  { files: /^e2e\/console\/offboarding\.test\.ts$/, reason: 'Browser: an offboarding.' },
  { files: /^e2e\/command-line\/operating\.test\.ts$/, reason: 'The command line.' },
  { files: /^e2e\/start\/readme\.test\.ts$/, reason: 'The commands in README.md.' },
  { files: /^e2e\/start\/example-app\.test\.ts$/, reason: 'The example app.' },
];

/** Tests of packages that are in the second tier: enumerations, kills and restarts, and measurements on large tables. */
export const slow: readonly Group[] = [
  { files: /\/growth\.test\.ts$/, reason: 'Costs at the size of a large tenant; creates thousands of rows.' },
  { files: /plans\.test\.ts$/, reason: 'Query plans on large tables.' },
  { files: /-races\.test\.ts$/, reason: 'Races: many parallel requests, repeated.' },
  { files: /\/model\//, reason: 'Models: random sequences of events.' },
  { files: /\/spec-tables-[a-z]+\.test\.ts$/, reason: 'Enumeration of the tables of the specifications.' },
  { files: /\/announced-capabilities\.test\.ts$/, reason: 'Enumeration of all announced capabilities.' },
  { files: /\/bad-input(-[a-z]+)?\.test\.ts$/, reason: 'Enumeration of malformed requests.' },
  { files: /\/unauthenticated-writes\.test\.ts$/, reason: 'Enumeration of all routes without a token.' },
  { files: /\/([a-z]+-)?attacks\.test\.ts$/, reason: 'Enumeration of attacks on one module.' },
  { files: /\/redis-attacker\.test\.ts$/, reason: 'Redis attacker: every key that a process trusts.' },
  { files: /\/rehash\.test\.ts$/, reason: 'Password hashes at the cost of production.' },
  { files: /\/continuity\.test\.ts$/, reason: 'Interruptions of the event feed; waits for timeouts.' },
  {
    files: /\/deliveries\/(engine|processes)\.test\.ts$/,
    reason: 'Deliveries with several workers, some of them killed.',
  },
  { files: /\/refresh-after-restart\.test\.ts$/, reason: 'Restarts of the authorization server.' },
  { files: /\/patch-random\.test\.ts$/, reason: 'Random sequences of PATCH operations.' },
  { files: /\/database\/statements\.test\.ts$/, reason: 'Enumeration of all SQL statements.' },
  { files: /\/unannounced-changes\.test\.ts$/, reason: 'Lost notifications; waits for timeouts.' },
  { files: /\/(large-pages|response-size)\.test\.ts$/, reason: 'Costs at the maximum size of a response.' },
  { files: /\/password-interoperability\.test\.ts$/, reason: 'Password hashes at the cost of production.' },
  { files: /\/silent-connection\.test\.ts$/, reason: 'Connections without an answer; waits for timeouts.' },
  { files: /\/reencryption\.test\.ts$/, reason: 'Kills of a process that encrypts values again.' },
  { files: /^libs\/events\/test\/faults\.test\.ts$/, reason: 'Kills of consumers and of Redis.' },
  {
    files: /^libs\/database\/test\/(victims|takeover)\.test\.ts$/,
    reason: 'Kills and fail-over of PostgreSQL.',
  },
  { files: /^libs\/service\/test\/process\/process\.test\.ts$/, reason: 'Kills and restarts of a process.' },
  {
    files: /^libs\/embedded\/test\/(postgres|system|valkey)\.test\.ts$/,
    reason: 'Kills and restarts of the engines.',
  },
];

/** Measures times, so nothing else runs in parallel. */
export const chaosMinute = /^e2e\/chaos\/chaos\.test\.ts$/;

/** @param file path from the root of the repository */
export function tierOf(file: string): Tier {
  const isIn = ({ files }: Group) => files.test(file);
  if (file.startsWith('e2e/')) return surfaces.some(isIn) ? 'first' : 'rest';
  return slow.some(isIn) ? 'rest' : 'first';
}
