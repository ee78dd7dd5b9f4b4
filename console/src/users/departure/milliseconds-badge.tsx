import { useFormatter, useTranslations } from '../../words/index.ts';

/** A short duration in milliseconds, seconds or minutes. */
export function Milliseconds({ value }: { value: number }) {
  const t = useTranslations('departure.durations');
  const format = useFormatter();
  const text =
    value < 1000
      ? t('milliseconds', { value: format.number(value) })
      : value < 120_000
        ? t('seconds', { value: format.number(value / 1000, { maximumFractionDigits: 1 }) })
        : t('minutes', { value: format.number(value / 60_000, { maximumFractionDigits: 0 }) });
  return <span className="figure">{text}</span>;
}
