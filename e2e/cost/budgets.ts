import type { Cost } from './counted-system.ts';

type Budget = Omit<Cost, 'asked'>;

const budget = (
  statements: number,
  commits: number,
  redis: number,
  calls: number,
  wakeUps: number,
): Budget => ({ statements, commits, redis, calls, wakeUps });

/**
 * Maximum cost of a request through the edge, of all four services together. Statements, commits and Redis commands are
 * the measured values, and for asynchronous work the maximum of several runs. System calls and wake-ups depend on the
 * machine and have a margin of 50 %. A change that reduces a cost also lowers the budget.
 */
export const budgets: Record<string, Budget> = {
  'token: client_credentials': budget(0, 0, 0, 18, 16),
  'token: authorization_code': budget(1, 0, 1, 23, 18),
  'token: refresh_token': budget(1, 0, 0, 20, 14),
  introspection: budget(0, 0, 0, 18, 16),
  userinfo: budget(1, 0, 0, 31, 24),
  'sign-in: a password, consent and a code': budget(10, 0, 12, 138, 80),
  'sign-in: a session and a code': budget(9, 0, 8, 123, 72),
  // Eleven Redis commands including the event processing after a creation. On a fast machine some of them fall between
  // two requests.
  'SCIM: create a user': budget(23, 5, 11, 130, 60),
  'SCIM: read a user': budget(2, 0, 0, 34, 26),
  'SCIM: userName eq': budget(3, 0, 0, 37, 29),
  'SCIM: deactivate a user': budget(42, 8, 14, 210, 105),
  'graph: one page of users': budget(1, 0, 1, 23, 24),
};
