import { lazy, type ReactNode, Suspense } from 'react';
import { Card } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { OverviewPeopleQuery, OverviewSignInsQuery } from './generated/figures.ts';

// The chart library is the largest dependency of the page and is loaded last.
const SignInChart = lazy(async () => ({ default: (await import('./charts.tsx')).SignInChart }));
const GrowthChart = lazy(async () => ({ default: (await import('./charts.tsx')).GrowthChart }));

type SignInDays = NonNullable<OverviewSignInsQuery['signInStatistics']>['days'];
type GrowthDays = NonNullable<OverviewPeopleQuery['statistics']>['growth'];

/** A chart with a summary in one sentence and its numbers in a table. */
function ChartCard({
  title,
  summary,
  chart,
  legend,
  columns,
  rows,
}: {
  title: string;
  summary: string;
  chart: ReactNode;
  legend: readonly { name: string; mark: string }[];
  columns: readonly string[];
  rows: readonly (readonly [string, ...number[]])[];
}) {
  const t = useTranslations('overview');
  const format = useFormatter();
  return (
    <Card title={title}>
      <p className="soft">{summary}</p>
      <div className="chart" role="img" aria-label={`${title}: ${summary}`}>
        <Suspense fallback={null}>{chart}</Suspense>
      </div>
      <ul className="legend" aria-hidden>
        {legend.map(({ name, mark }) => (
          <li key={name} data-mark={mark}>
            {name}
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
        <section className="table-box chart-table" tabIndex={0} aria-label={title}>
          <table className="comparison">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.toReversed().map(([date, ...values]) => (
                <tr key={date}>
                  <th scope="row">{date}</th>
                  {values.map((value, index) => (
                    <td key={columns[index + 1]}>{format.number(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </Card>
  );
}

export function SignInCard({ days }: { days: SignInDays }) {
  const t = useTranslations('overview.signIns');
  const sum = (name: 'accepted' | 'refused' | 'delayed') => days.reduce((all, day) => all + day[name], 0);
  return (
    <ChartCard
      title={t('title')}
      summary={t('summary', {
        days: days.length,
        accepted: sum('accepted'),
        refused: sum('refused'),
        delayed: sum('delayed'),
      })}
      chart={<SignInChart days={days} />}
      legend={[
        { name: t('accepted'), mark: 'accent' },
        { name: t('delayed'), mark: 'warn' },
        { name: t('refused'), mark: 'bad' },
      ]}
      columns={[t('day'), t('accepted'), t('delayed'), t('refused')]}
      rows={days.map(({ date, accepted, delayed, refused }) => [date, accepted, delayed, refused])}
    />
  );
}

export function GrowthCard({ days }: { days: GrowthDays }) {
  const t = useTranslations('overview.growth');
  const change = days.reduce((all, { peopleChange }) => all + peopleChange, 0);
  return (
    <ChartCard
      title={t('title')}
      summary={t('summary', { days: days.length, change })}
      chart={<GrowthChart days={days} />}
      legend={[
        { name: t('active'), mark: 'accent' },
        { name: t('total'), mark: 'soft' },
      ]}
      columns={[t('day'), t('active'), t('total'), t('change')]}
      rows={days.map(({ date, people, peopleChange }) => [date, people.active, people.total, peopleChange])}
    />
  );
}
