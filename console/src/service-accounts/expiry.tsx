import { Badge, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

const day = 86_400_000;

/** Expiry time, highlighted in the last month. */
export function Expiry({ at }: { at: string | null }) {
  const t = useTranslations('serviceAccounts.expiry');
  if (at === null) return <span className="soft">{t('never')}</span>;
  const left = Date.parse(at) - Date.now();
  if (left <= 0) return <Badge tone="bad">{t('over')}</Badge>;
  if (left > 30 * day) return <Time at={at} />;
  return (
    <Badge tone={left < 7 * day ? 'bad' : 'warn'}>
      <Time at={at} relative />
    </Badge>
  );
}
