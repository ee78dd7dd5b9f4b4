import type { Result } from './check.ts';

export interface Report {
  /** Whether all invariants hold. */
  ok: boolean;
  /** RFC 3339. */
  at: string;
  tookMs: number;
  checks: Result[];
}

/** Returns the report as text: a line per check, and its first violations. */
export function readable({ ok, tookMs, checks }: Report): string {
  const lines = checks.flatMap(({ says, looked, flaws, examples }) => [
    `${flaws === 0 ? 'ok    ' : 'BROKEN'} ${says} (${looked.toLocaleString('en')} verified${flaws === 0 ? '' : `, ${flaws} violations`})`,
    ...examples.map(({ tenant, id, detail }) => `         ${tenant} ${id}: ${detail}`),
    ...(flaws > examples.length ? [`         and ${flaws - examples.length} more`] : []),
  ]);
  const broken = checks.filter(({ flaws }) => flaws > 0).length;
  const sum = ok ? `All ${checks.length} hold.` : `${broken} of ${checks.length} do not hold.`;
  return [...lines, `${sum} ${(tookMs / 1000).toFixed(1)} s`].join('\n');
}
