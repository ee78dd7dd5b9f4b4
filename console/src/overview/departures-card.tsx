import { FailureNote } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Badge, Card, Empty, Time } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { Departures } from './departures.ts';
import type { Offboarded } from './offboarded.ts';

/** Recent departures, with the time until all access paths were closed. */
export function OffboardingsCard({ departures: { list, failure, reread } }: { departures: Departures }) {
  const t = useTranslations('overview.departures');
  return (
    <Card title={t('title')}>
      <FailureNote failure={failure} onRetry={reread} />
      {list?.length === 0 && <Empty title={t('none')}>{t('noneHint')}</Empty>}
      {list !== undefined && list.length > 0 && (
        <ul className="rows">
          {list.map((departed) => (
            <Row key={departed.userId} departed={departed} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ departed }: { departed: Offboarded }) {
  const t = useTranslations('overview.departures');
  const { userId, name, isBack, closedAt, closedAccessPaths, notified, waiting } = departed;
  return (
    <li>
      <span className="grow">
        <TenantLink path={`users/${userId}`}>{name ?? t('deleted', { id: userId })}</TenantLink>{' '}
        {isBack && <Badge>{t('back')}</Badge>}
        <br />
        <span className="soft">
          {t('closed', { count: closedAccessPaths })}
          {notified + waiting > 0 && ` · ${t('notified', { notified, all: notified + waiting })}`} ·{' '}
          <Time at={closedAt} relative />
        </span>
      </span>
      <ClosedIn departed={departed} />
      <Open departed={departed} />
    </li>
  );
}

function ClosedIn({ departed: { closedInMs } }: { departed: Offboarded }) {
  const t = useTranslations('overview.departures');
  const format = useFormatter();
  if (closedInMs === undefined) return <span className="soft">{t('asked')}</span>;
  return (
    <span className="figure-small">
      {closedInMs < 10_000
        ? t('ms', { ms: format.number(closedInMs) })
        : t('seconds', { s: format.number(closedInMs / 1000, { maximumFractionDigits: 0 }) })}
    </span>
  );
}

function Open({ departed: { open, isBack } }: { departed: Offboarded }) {
  const t = useTranslations('overview.departures');
  if (isBack) return null;
  if (open === undefined) return <Badge tone="warn">{t('unknown')}</Badge>;
  return <Badge tone={open === 0 ? 'good' : 'bad'}>{t('open', { count: open })}</Badge>;
}
