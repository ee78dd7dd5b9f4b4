import { DoorClosed } from 'lucide-react';
import { useFormatter, useTranslations } from '../../words/index.ts';
import type { Departure } from './departure.ts';
import { millisecondsBetween } from './milliseconds.ts';
import { Milliseconds } from './milliseconds-badge.tsx';

/** Access paths in the order of closing; the ones without open access are listed in one sentence. */
export function Doors({ doors, start }: { doors: Departure['doors']; start: string }) {
  const t = useTranslations('departure.doors');
  const format = useFormatter();
  const timed = doors
    .filter(({ count }) => count !== 0)
    .map((door) => ({ ...door, after: millisecondsBetween(start, door.closedAt) }))
    .sort((a, b) => a.after - b.after || Number(b.count !== null) - Number(a.count !== null));
  const longest = Math.max(1, ...timed.map(({ after }) => after));
  const absent = doors.filter(({ count }) => count === 0).map(({ name }) => t(`names.${name}`));
  return (
    <>
      <ul className="closed-doors">
        {timed.map(({ name, count, after }, index) => (
          <li key={name} style={{ animationDelay: `${index * 45}ms` }}>
            <DoorClosed aria-hidden />
            <span>
              {t(`names.${name}`)} {count !== null && <span className="soft">{t('count', { count })}</span>}
            </span>
            <span className="bar" aria-hidden>
              <span style={{ width: `${(100 * after) / longest}%` }} />
            </span>
            <Milliseconds value={after} />
          </li>
        ))}
      </ul>
      {absent.length > 0 && <p className="soft">{t('absent', { doors: format.list(absent) })}</p>}
    </>
  );
}
