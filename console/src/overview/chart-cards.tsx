import { lazy, type ReactNode, Suspense } from 'react';
import { type Failure, FailureNote } from '../graph/index.ts';
import { Card } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { OverviewPeopleQuery } from './generated/figures.ts';

// The chart library is the largest dependency of the page and is loaded last.
const GrowthChart = lazy(async () => ({ default: (await import('./charts.tsx')).GrowthChart }));

type GrowthDays = NonNullable<OverviewPeopleQuery['statistics']>['growth'];

/** A chart with a summary in one sentence and its numbers in a table. */
export function ChartCard({
  title,
  actions,
  failure,
  summary,
  chart,
  legend,
  columns,
  rows,
}: {
  title: string;
  actions?: ReactNode;
  failure?: Failure | undefined;
  summary: string;
  chart: ReactNode;
  legend: readonly { name: string; mark: string }[];
  columns: readonly string[];
  rows: readonly (readonly [string, ...number[]])[];
}) {
  const t = useTranslations('overview');
  return (
    <Card title={title} actions={actions}>
      <FailureNote failure={failure} />
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
        <Numbers title={title} columns={columns} rows={rows} />
      </details>
    </Card>
  );
}

function Numbers({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly [string, ...number[]])[];
}) {
  const format = useFormatter();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
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
