import { useQuery } from '@apollo/client/react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { failureOf } from '../graph/index.ts';
import { Button } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import { ChartCard } from './chart-cards.tsx';
import type { SignInPeriod } from './charts.tsx';
import { OverviewSignInHoursDocument, type OverviewSignInsQuery } from './generated/figures.ts';

const SignInChart = lazy(async () => ({ default: (await import('./charts.tsx')).SignInChart }));

type Days = NonNullable<OverviewSignInsQuery['signInStatistics']>['days'];

/**
 * Sign-ins of the last days, or of the last hours if the address says so.
 * @param everyMs time between two requests for the hours, in milliseconds
 */
export function SignInCard({ days, everyMs }: { days: Days; everyMs: number }) {
  const t = useTranslations('overview.signIns');
  const { signIns } = useSearch({ from: '/t/$tenant/' });
  const navigate = useNavigate({ from: '/t/$tenant/' });
  const isByHour = signIns === 'hours';
  const { data, error } = useQuery(OverviewSignInHoursDocument, { skip: !isByHour, pollInterval: everyMs });
  const label = useLabel(isByHour);
  const periods: readonly SignInPeriod[] = isByHour
    ? (data?.signInStatistics?.hours ?? []).map(({ beginsAt, ...counts }) => ({ start: beginsAt, ...counts }))
    : days.map(({ date, ...counts }) => ({ start: date, ...counts }));
  const sum = (name: 'accepted' | 'refused' | 'delayed') =>
    periods.reduce((all, period) => all + period[name], 0);
  const sums = { accepted: sum('accepted'), refused: sum('refused'), delayed: sum('delayed') };
  const count = periods.length;
  return (
    <ChartCard
      title={isByHour ? t('titleByHour') : t('title')}
      actions={
        <Button
          onPress={() =>
            void navigate({ search: { signIns: isByHour ? undefined : 'hours' }, replace: true })
          }
        >
          {isByHour ? t('byDay') : t('byHour')}
        </Button>
      }
      summary={
        isByHour ? t('summaryByHour', { hours: count, ...sums }) : t('summary', { days: count, ...sums })
      }
      failure={error && failureOf(error)}
      chart={<SignInChart periods={periods} label={label} />}
      legend={[
        { name: t('accepted'), mark: 'accent' },
        { name: t('delayed'), mark: 'warn' },
        { name: t('refused'), mark: 'bad' },
      ]}
      columns={[isByHour ? t('hour') : t('day'), t('accepted'), t('delayed'), t('refused')]}
      rows={periods.map(({ start, accepted, delayed, refused }) => [
        isByHour ? label(start) : start,
        accepted,
        delayed,
        refused,
      ])}
    />
  );
}

/** Formats the start of an hour in the time zone of the reader, and a day as a UTC day. */
function useLabel(isByHour: boolean): (start: unknown) => string {
  const format = useFormatter();
  return (start) =>
    isByHour
      ? format.dateTime(new Date(String(start)), { weekday: 'short', hour: 'numeric', minute: '2-digit' })
      : format.dateTime(new Date(`${String(start)}T00:00:00Z`), {
          day: 'numeric',
          month: 'short',
          timeZone: 'UTC',
        });
}
