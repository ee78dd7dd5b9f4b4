import { healthyBoundMs, openFor } from './evaluation.ts';
import { type Outcome, recoveryBoundMs } from './run.ts';

const size = { width: 1000, height: 360 };
const plot = { left: 60, top: 20, right: 990, bottom: 320 };
/** Bounds of the logarithmic axis in milliseconds. */
const range = { low: 1, high: 20_000 };

/**
 * Draws each offboarding as a dot (time, and milliseconds until its last access path closed) and each fault as a band.
 * The dots are one path, which keeps the file small.
 */
export function chartOf(outcome: Outcome): string {
  const { from, to, struck, left } = outcome;
  const x = (time: number) => plot.left + ((time - from) / (to - from)) * (plot.right - plot.left);
  const y = (ms: number) => {
    const part = Math.log(Math.max(ms, range.low) / range.low) / Math.log(range.high / range.low);
    return plot.bottom - Math.min(1, part) * (plot.bottom - plot.top);
  };
  const n = (value: number) => value.toFixed(1).replace(/\.0$/, '');
  const bands = struck.map(
    (fault) =>
      `<rect x="${n(x(fault.from))}" y="${plot.top}" width="${n(Math.max(1, x(fault.recoveredAt) - x(fault.from)))}" height="${plot.bottom - plot.top}"><title>${escaped(fault.what)}</title></rect>`,
  );
  const dots = left
    .map((one) => {
      const longest = Math.max(0, ...one.closings.map((closing) => openFor(one, closing)));
      return `M${n(x(one.acknowledgedAt))} ${n(y(longest))}h0`;
    })
    .join('');
  const marks = [1, 10, 100, 1_000, 10_000].map(
    (ms) =>
      `<path d="M${plot.left} ${n(y(ms))}H${plot.right}"/><text x="${plot.left - 6}" y="${n(y(ms) + 4)}" text-anchor="end">${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}</text>`,
  );
  const minutes = Array.from({ length: Math.floor((to - from) / 60_000) + 1 }, (_, minute) => minute);
  const times = minutes.map(
    (minute) =>
      `<text x="${n(x(from + minute * 60_000))}" y="${plot.bottom + 18}" text-anchor="middle">${minute} min</text>`,
  );
  const bound = (ms: number, name: string) =>
    `<path class="bound" d="M${plot.left} ${n(y(ms))}H${plot.right}"/><text x="${plot.right}" y="${n(y(ms) - 4)}" text-anchor="end">${name}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Time until the last access path of each user was closed, and the faults">
<title>Time until the last access path of each user was closed</title>
<style>
svg{background:#fff;color:#222}text{fill:currentColor}path{fill:none;stroke:#8884}
rect{fill:#d97706;opacity:.18}.dots{stroke:#1d4ed8;stroke-width:4;stroke-linecap:round;opacity:.6}.bound{stroke:#b91c1c;stroke-dasharray:6 4}
@media (prefers-color-scheme:dark){svg{background:#111;color:#ddd}.dots{stroke:#7aa2ff}}
</style>
${bands.join('\n')}
${marks.join('\n')}
${times.join('\n')}
${bound(healthyBoundMs.max, 'bound without a fault')}
${bound(outcome.stalenessMs, 'bound during a fault')}
<path class="dots" d="${dots}"/>
<text x="${plot.left}" y="${size.height - 6}">Dot: one offboarding. Band: a fault until recovery (maximum ${recoveryBoundMs / 1000} s).</text>
</svg>
`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
