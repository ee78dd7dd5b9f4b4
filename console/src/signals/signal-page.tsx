import { useQuery } from '@apollo/client/react';
import { useParams } from '@tanstack/react-router';
import { ReceiverState } from '../deliveries/parts.ts';
import { FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Card, Copyable, Empty, Facts, Note, Page, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { SignalStreamByIdDocument, type SignalStreamByIdQuery } from './generated/signals.ts';
import { SignalActions } from './signal-actions.tsx';

export function SignalPage() {
  const t = useTranslations('signals');
  const { id } = useParams({ from: '/t/$tenant/signals/$id' });
  const { data, error, loading, refetch } = useQuery(SignalStreamByIdDocument, {
    variables: { id },
    pollInterval: 5000,
  });
  const stream = data?.signalStream;
  const again = () => void refetch();
  if (!stream)
    return (
      <Page title={t('one')}>
        <FailureNote failure={error && failureOf(error)} onRetry={again} />
        {!loading && !error && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  const { client, failingSince, status } = stream;
  return (
    <Page
      title={t('titleOf', { app: client?.name ?? id })}
      subtitle={<ReceiverState receiver={stream} />}
      actions={<SignalActions stream={stream} />}
    >
      <FailureNote failure={error && failureOf(error)} onRetry={again} />
      {status === 'ENABLED' && failingSince !== null && <Note tone="bad">{t('failingHint')}</Note>}
      {status !== 'ENABLED' && (
        <Note tone="warn">
          {t(`stateHints.${status}`)} {stream.statusReason}
        </Note>
      )}
      <StreamFacts stream={stream} />
      <Deliveries id={id} />
    </Page>
  );
}

type Stream = NonNullable<SignalStreamByIdQuery['signalStream']>;

function StreamFacts({ stream }: { stream: Stream }) {
  const t = useTranslations('signals');
  const { id, client, endpoint, events } = stream;
  return (
    <Card title={t('facts')}>
      <Facts
        facts={[
          [
            t('app'),
            client && (
              <TenantLink key="app" path={`applications/${client.id}`}>
                {client.name}
              </TenantLink>
            ),
          ],
          [t('description'), stream.description],
          [t('delivery'), t(`deliveries.${stream.delivery}`)],
          [t('endpoint'), endpoint === null ? undefined : <Copyable key="endpoint" value={endpoint} />],
          [
            t('events'),
            events.map((event) => (
              <div key={event}>
                <code>{event}</code>
              </div>
            )),
          ],
          [t('created'), <Time key="created" at={stream.createdAt} />],
          [t('changed'), <Time key="changed" at={stream.updatedAt} />],
          [t('id'), <Copyable key="id" value={id} />],
        ]}
      />
    </Card>
  );
}

/** Links to the deliveries of the stream, by state. */
function Deliveries({ id }: { id: string }) {
  const t = useTranslations('signals');
  return (
    <Card title={t('notified')}>
      <ul className="rows">
        <li>
          <TenantLink path="deliveries" search={{ receiver: id }}>
            {t('allDeliveries')}
          </TenantLink>
        </li>
        <li>
          <TenantLink path="deliveries" search={{ receiver: id, state: 'DEAD' }}>
            {t('deadDeliveries')}
          </TenantLink>
        </li>
      </ul>
    </Card>
  );
}
