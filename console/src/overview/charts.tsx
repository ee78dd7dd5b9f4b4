import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { OverviewPeopleQuery } from './generated/figures.ts';

/** Sign-in attempts of a day or an hour. */
export interface SignInPeriod {
  /** Start in ISO 8601; a day without a time. */
  start: string;
  accepted: number;
  refused: number;
  delayed: number;
}

type GrowthDay = NonNullable<OverviewPeopleQuery['statistics']>['growth'][number];

const height = 220;
const axis = { stroke: 'var(--line)', tick: { fill: 'var(--soft)', fontSize: 12 }, tickLine: false } as const;
const tip = {
  contentStyle: {
    border: '1px solid var(--line)',
    borderRadius: 8,
    background: 'var(--card)',
    color: 'var(--ink)',
  },
  cursor: { fill: 'var(--wash)', stroke: 'var(--field)' },
  itemStyle: { color: 'var(--ink)' },
} as const;

/** Formats a date without a time as a UTC day, in any time zone of the reader. */
function useDay(): (date: unknown) => string {
  const format = useFormatter();
  return (date) =>
    format.dateTime(new Date(`${String(date)}T00:00:00Z`), {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
}

/** Sign-in attempts per day or hour, by outcome. */
export function SignInChart({
  periods,
  label,
}: {
  periods: readonly SignInPeriod[];
  label: (start: unknown) => string;
}) {
  const t = useTranslations('overview.signIns');
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={[...periods]}
        accessibilityLayer={false}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="start" tickFormatter={label} minTickGap={28} {...axis} />
        <YAxis allowDecimals={false} width={44} {...axis} />
        <Tooltip labelFormatter={label} {...tip} />
        <Bar
          dataKey="accepted"
          name={t('accepted')}
          stackId="all"
          fill="var(--accent)"
          isAnimationActive={false}
        />
        <Bar
          dataKey="delayed"
          name={t('delayed')}
          stackId="all"
          fill="var(--warn)"
          isAnimationActive={false}
        />
        <Bar
          dataKey="refused"
          name={t('refused')}
          stackId="all"
          fill="var(--bad)"
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Number of users per day. */
export function GrowthChart({ days }: { days: readonly GrowthDay[] }) {
  const t = useTranslations('overview.growth');
  const day = useDay();
  const data = days.map(({ date, people }) => ({ date, active: people.active, total: people.total }));
  return (
    <ResponsiveContainer width="100%" height={height}>
      <AreaChart data={data} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="date" tickFormatter={day} minTickGap={28} {...axis} />
        <YAxis allowDecimals={false} width={60} {...axis} />
        <Tooltip labelFormatter={day} {...tip} />
        <Area
          dataKey="total"
          name={t('total')}
          stroke="var(--soft)"
          fill="var(--wash)"
          strokeDasharray="4 3"
          isAnimationActive={false}
        />
        <Area
          dataKey="active"
          name={t('active')}
          stroke="var(--accent)"
          fill="var(--wash)"
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}
