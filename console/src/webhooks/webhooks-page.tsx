import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ReceiverState } from '../deliveries/parts.ts';
import { FailureNote, useConnection } from '../graph/index.ts';
import { Action, type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type WebhookFactsFragment, WebhookListDocument } from './generated/webhooks.ts';
import { NewWebhook } from './new-webhook.tsx';

const noVariables = {};

export function WebhooksPage() {
  const t = useTranslations('webhooks');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { add } = useSearch({ from: '/t/$tenant/webhooks' });
  const navigate = useNavigate({ from: '/t/$tenant/webhooks' });
  const list = useConnection(WebhookListDocument, noVariables, (data) => data.webhooks);
  const columns = useColumns();
  const button = (
    <Action
      scopes={['webhooks:write']}
      kind="primary"
      onPress={() => void navigate({ search: { add: 'yes' }, replace: true })}
    >
      {t('add')}
    </Action>
  );
  return (
    <Page
      title={t('title')}
      subtitle={list.total === undefined ? undefined : t('count', { count: list.total })}
      actions={button}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<WebhookFactsFragment>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/webhooks/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          <Empty title={t('empty')}>
            <p>{t('emptyHint')}</p>
          </Empty>
        }
      />
      {add === 'yes' && (
        <NewWebhook
          onClose={() => void navigate({ search: {}, replace: true })}
          onMade={(id) => void navigate({ to: '/t/$tenant/webhooks/$id', params: { tenant, id } })}
        />
      )}
    </Page>
  );
}

function useColumns(): ColumnOf<WebhookFactsFragment>[] {
  const t = useTranslations('webhooks');
  return useMemo(
    () => [
      { id: 'name', title: t('name'), width: '1.5fr', minWidth: 140, cell: ({ name }) => name },
      { id: 'endpoint', title: t('endpoint'), width: '2fr', minWidth: 180, cell: ({ endpoint }) => endpoint },
      {
        id: 'state',
        title: t('state'),
        minWidth: 150,
        cell: (webhook) => <ReceiverState receiver={webhook} />,
      },
      {
        id: 'types',
        title: t('notifiedOf'),
        minWidth: 110,
        cell: ({ types }) => t('typeCount', { count: types.length }),
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
