import { conditionsOf } from '../support/run-conditions.ts';

const number = (value: number): string => value.toLocaleString('en');
const restartHeading = '\n## Rolling restart\n';

/** Results of the replacement of all processes by the same release. */
export interface RollingRestart {
  startedAt: Date;
  seconds: number;
  processes: number;
  counts: Readonly<Record<string, number>>;
  failed: number;
}

/** Replaces the section about the rolling restart, which another command measures than the rest of the page. */
export function withRollingRestart(page: string, restart: RollingRestart): string {
  const { startedAt, seconds, processes, counts, failed } = restart;
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${withoutRollingRestart(page)}${restartHeading}
\`ROLLING_RESTART_REQUESTS=10000 npx jest e2e/upgrade/secret-rotation.test.ts\` replaces the processes of one release under load and writes this section. The load has at least that many requests.

${conditionsOf(startedAt)}, shared by processes, databases and test.

| figure | value |
|---|---:|
| processes replaced | ${processes} |
| seconds | ${number(seconds)} |
| requests | ${number(requests)} |
| of these, sign-ins over the pages | ${number(counts['sign-in'] ?? 0)} |
| requests that failed | ${failed} |
`;
}

const withoutRollingRestart = (page: string): string => page.split(restartHeading)[0] ?? '';

/** Returns the section of a page, or an empty string. */
export const rollingRestartIn = (page: string): string => page.slice(withoutRollingRestart(page).length);
