import type { Answer } from '../http.ts';
import { type Finding, skipped, well, wrong } from './finding.ts';

/** Beyond it, tokens are refused as not yet valid or expired already. */
const mostSkewSeconds = 30;

export interface TimedAnswer extends Answer {
  begun: number;
  ended: number;
}

/** HTTP tells the time in seconds: what the way took is not counted as skew. */
export function clock(check: string, { headers, begun, ended }: TimedAnswer): Finding {
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return skipped(check, 'the server tells no time');
  const ahead = said - ended;
  const behind = begun - 1_000 - said;
  const seconds = Math.round(Math.max(0, ahead, behind) / 1000);
  return seconds <= mostSkewSeconds
    ? well(check, seconds === 0 ? 'the same as here' : `${seconds} s apart`)
    : wrong(
        check,
        `here it is ${seconds} s ${ahead > behind ? 'behind' : 'ahead'}`,
        'Let NTP set the clocks of this machine and of the nodes; timedatectl says whether it does.',
      );
}
