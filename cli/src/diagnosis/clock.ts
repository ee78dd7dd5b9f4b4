import type { Answer } from '../http.ts';
import { type Finding, skipped, well, wrong } from './finding.ts';

/** With a larger skew, tokens are rejected as not yet valid or expired. */
const maxSkewSeconds = 30;

export interface TimedAnswer extends Answer {
  begun: number;
  ended: number;
}

/**
 * Compares the clocks. The Date header has a resolution of one second; the transmission time is not counted as skew.
 */
export function clock(check: string, { headers, begun, ended }: TimedAnswer): Finding {
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return skipped(check, 'the server sends no Date header');
  const ahead = said - ended;
  const behind = begun - 1_000 - said;
  const seconds = Math.round(Math.max(0, ahead, behind) / 1000);
  return seconds <= maxSkewSeconds
    ? well(check, seconds === 0 ? 'the same as here' : `${seconds} s apart`)
    : wrong(
        check,
        `here it is ${seconds} s ${ahead > behind ? 'behind' : 'ahead'}`,
        'Synchronize the clocks of this machine and of the nodes with NTP; timedatectl shows the state.',
      );
}
