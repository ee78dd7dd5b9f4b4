import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ReceiverState } from '../deliveries/parts.ts';
import { FailureNote, useConnection } from '../graph/index.ts';
import { type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type SignalStreamFactsFragment, SignalStreamListDocument } from './generated/signals.ts';

const noVariables = {};

/** Streams that receivers have created with the Shared Signals API. */
export function SignalsPage() {
  const t = useTranslations('signals');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const list = useConnection(SignalStreamListDocument, noVariables, (data) => data.signalStreams);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      subtitle={list.total === undefined ? undefined : t('count', { count: list.total })}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<SignalStreamFactsFragment>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/signals/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
    </Page>
  );
}

function useColumns(): ColumnOf<SignalStreamFactsFragment>[] {
  const t = useTranslations('signals');
  return useMemo(
    () => [
      {
        id: 'app',
        title: t('app'),
        width: '1.5fr',
        minWidth: 140,
        cell: (stream) => stream.client?.name ?? stream.id,
      },
      {
        id: 'delivery',
        title: t('delivery'),
        width: '2fr',
        minWidth: 160,
        cell: ({ delivery, endpoint }) => (endpoint === null ? t(`deliveries.${delivery}`) : endpoint),
      },
      {
        id: 'state',
        title: t('state'),
        minWidth: 150,
        cell: (stream) => <ReceiverState receiver={stream} />,
      },
      {
        id: 'events',
        title: t('events'),
        minWidth: 110,
        cell: ({ events }) => t('eventCount', { count: events.length }),
      },
      {
        id: 'changed',
        title: t('changed'),
        minWidth: 130,
        cell: ({ updatedAt }) => <Time at={updatedAt} relative />,
      },
    ],
    [t],
  );
}
