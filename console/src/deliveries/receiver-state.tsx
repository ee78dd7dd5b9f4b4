import { Badge, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

interface Receiver {
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  failingSince: string | null;
}

/** Reports whether a receiver is enabled, and whether its deliveries fail. */
export function ReceiverState({ receiver: { status, failingSince } }: { receiver: Receiver }) {
  const t = useTranslations('deliveries.receivers');
  if (status !== 'ENABLED') return <Badge tone="warn">{t(status)}</Badge>;
  if (failingSince === null) return <Badge tone="good">{t('ENABLED')}</Badge>;
  return (
    <Badge tone="bad">
      {t('failing')} <Time at={failingSince} />
    </Badge>
  );
}
