import { Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

const day = 86_400_000;
const all = ['never', '30', '90', '365', '1095'] as const;
export type Lifetime = (typeof all)[number];

/** Returns the expiry time of an object with this creation time; undefined for `never`. */
export const endOf = (lifetime: Lifetime, madeAt: number): string | undefined =>
  lifetime === 'never' ? undefined : new Date(madeAt + Number(lifetime) * day).toISOString();

/** Chooses a lifetime. API keys always expire; public keys may be unlimited. */
export function LifetimeField({
  value,
  onChange,
  mayBeEndless,
  hint,
  problem,
}: {
  value: Lifetime;
  onChange(lifetime: Lifetime): void;
  mayBeEndless: boolean;
  hint?: string;
  problem: string | undefined;
}) {
  const t = useTranslations('serviceAccounts.keys');
  const expiry = useTranslations('serviceAccounts.expiry');
  return (
    <Select
      label={t('lifetime')}
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
      options={all
        .filter((id) => mayBeEndless || id !== 'never')
        .map((id) => ({ id, label: id === 'never' ? expiry('never') : t('days', { days: Number(id) }) }))}
      value={value}
      onChange={(key) => onChange(key as Lifetime)}
    />
  );
}
