import { useParams } from '@tanstack/react-router';
import { Download, Printer } from 'lucide-react';
import { TenantLink } from '../../navigation/index.ts';
import { Button, Card, Facts, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { ActorName } from '../timeline/actor-name.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Departure } from './departure.ts';
import { Doors } from './doors.tsx';
import { KnownSecrets } from './known-secrets.tsx';
import { millisecondsBetween } from './milliseconds.ts';
import { Milliseconds } from './milliseconds-badge.tsx';

/** Report of an offboarding: closed access paths, notified receivers and known secrets; also for print. */
export function DepartureReport({ departure, name }: { departure: Departure; name: string }) {
  const t = useTranslations('departure');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const start = departure.leftAt ?? departure.closedAt;
  const [end = departure.closedAt] = departure.doors
    .map(({ closedAt }) => closedAt)
    .sort()
    .reverse();
  const delivered = departure.deliveries.filter(({ state }) => state === 'DELIVERED').length;
  return (
    <article className="report" aria-label={t('report', { name })}>
      <div className="report-head" role="status">
        <h2>{t('closedIn', { name })}</h2>
        <p className="report-time">
          <Milliseconds value={millisecondsBetween(start, end)} />
        </p>
        {departure.deliveries.length > 0 && (
          <p className="soft">{t('notified', { delivered, count: departure.deliveries.length })}</p>
        )}
        <div className="actions">
          <Button onPress={() => print()}>
            <Printer aria-hidden /> {t('print')}
          </Button>
          <Button onPress={() => download(departure, { tenant, name })}>
            <Download aria-hidden /> {t('download')}
          </Button>
        </div>
      </div>
      <div className="report-parts">
        <Card title={t('doors.title')}>
          <Doors doors={departure.doors} start={start} />
        </Card>
        <Card title={t('deliveries.title')}>
          <Deliveries deliveries={departure.deliveries} start={start} />
        </Card>
      </div>
      <Card title={t('secrets.title')}>
        <KnownSecrets departure={departure} />
      </Card>
      <Details departure={departure} name={name} />
    </article>
  );
}

function Details({ departure, name }: { departure: Departure; name: string }) {
  const t = useTranslations('departure');
  return (
    <Card title={t('facts.title')}>
      <Facts
        facts={[
          [t('facts.person'), name],
          [t('facts.id'), <code key="id">{departure.userId}</code>],
          [t('facts.trigger'), t(`triggers.${departure.trigger}`)],
          [t('facts.actor'), <Actor key="actor" actor={departure.actor} />],
          [
            t('facts.leftAt'),
            departure.leftAt === null ? undefined : <Exact key="left" at={departure.leftAt} />,
          ],
          [t('facts.closedAt'), <Exact key="closed" at={departure.closedAt} />],
          [t('facts.event'), <code key="event">{departure.securityEventId}</code>],
          [
            t('facts.trace'),
            departure.traceId === null ? undefined : <code key="trace">{departure.traceId}</code>,
          ],
        ]}
      />
    </Card>
  );
}

function Actor({ actor }: { actor: Departure['actor'] }) {
  const name = <ActorName actor={actor} />;
  return actor.kind === 'USER' ? <TenantLink path={`users/${actor.actorId}`}>{name}</TenantLink> : name;
}

/** The report includes exact UTC times. */
const Exact = ({ at }: { at: string }) => (
  <>
    <Time at={at} /> <code className="soft">{new Date(at).toISOString()}</code>
  </>
);

function download(departure: Departure, about: { tenant: string; name: string }): void {
  const secrets = departure.secrets.map(({ owner, ...secret }) => ({
    ...secret,
    owner: owner && downloadedOwner(owner),
  }));
  const report = { ...about, departure: withoutTypes({ ...departure, secrets }) };
  const blob = new Blob([JSON.stringify(report, null, 2)], {
    type: 'application/json',
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `departure-${departure.securityEventId}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

type Owner = NonNullable<Departure['secrets'][number]['owner']>;

const downloadedOwner = (owner: Owner) =>
  'userName' in owner
    ? { type: 'User', ...owner }
    : { type: 'Group', id: owner.id, displayName: owner.groupName };

const withoutTypes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === '__typename' ? undefined : member)));
