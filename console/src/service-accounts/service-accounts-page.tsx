import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { OwnerName } from '../owners/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { useSession } from '../session/index.ts';
import { Action, Badge, type ColumnOf, Empty, Page, Select, Table, Tabs, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AccountDialog } from './account-dialog.tsx';
import { serviceAccountTabs } from './account-tabs.ts';
import { AllKeys } from './all-keys.tsx';
import { ServiceAccountListDocument, type ServiceAccountListQuery } from './generated/service-accounts.ts';

type Item = NonNullable<NonNullable<ServiceAccountListQuery['serviceAccounts']>['edges'][number]['node']>;

export function ServiceAccountsPage() {
  const t = useTranslations('serviceAccounts');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { tab = 'accounts' } = useSearch({ from: '/t/$tenant/service-accounts' });
  const navigate = useNavigate({ from: '/t/$tenant/service-accounts' });
  const [isMaking, setMaking] = useState(false);
  const contents = { accounts: <Accounts />, keys: <AllKeys /> };
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <Action kind="primary" scopes={['clients:write']} onPress={() => setMaking(true)}>
          {t('create')}
        </Action>
      }
    >
      <Tabs
        label={t('title')}
        tabs={serviceAccountTabs.map((id) => ({ id, title: t(`tabs.${id}`), content: contents[id] }))}
        selected={tab}
        onSelect={(id) =>
          void navigate({ search: { tab: id === 'accounts' ? undefined : id }, replace: true })
        }
      />
      {isMaking && (
        <AccountDialog
          onClose={() => setMaking(false)}
          onDone={(id) => void navigate({ to: '/t/$tenant/service-accounts/$id', params: { tenant, id } })}
        />
      )}
    </Page>
  );
}

function Accounts() {
  const t = useTranslations('serviceAccounts');
  const filters = useTranslations('applications.filters');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { subject } = useSession();
  const { owner = '' } = useSearch({ from: '/t/$tenant/service-accounts' });
  const navigate = useNavigate({ from: '/t/$tenant/service-accounts' });
  const variables = useMemo(
    () => ({
      filter:
        owner === ''
          ? {}
          : owner === 'none'
            ? { hasOwner: false }
            : { ownerId: owner === 'mine' ? subject : owner },
    }),
    [owner, subject],
  );
  const list = useConnection(ServiceAccountListDocument, variables, (data) => data.serviceAccounts);
  const columns = useColumns();
  const isNamed = !['', 'none', 'mine'].includes(owner);
  return (
    <>
      <div className="toolbar">
        <Select
          label={filters('owner')}
          options={[
            { id: 'all', label: filters('all') },
            { id: 'mine', label: filters('mine') },
            { id: 'none', label: filters('nobody') },
            ...(isNamed ? [{ id: owner, label: filters('named') }] : []),
          ]}
          value={owner === '' ? 'all' : owner}
          onChange={(key) =>
            void navigate({ search: { owner: key === 'all' ? undefined : String(key) }, replace: true })
          }
        />
        {list.total !== undefined && <span className="soft">{t('count', { count: list.total })}</span>}
      </div>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Item>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/service-accounts/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
    </>
  );
}

function useColumns(): ColumnOf<Item>[] {
  const t = useTranslations('serviceAccounts');
  const states = useTranslations('applications.states');
  return useMemo(
    () => [
      { id: 'name', title: t('columns.name'), width: '2fr', minWidth: 150, cell: ({ name }) => name },
      {
        id: 'scopes',
        title: t('columns.scopes'),
        width: '3fr',
        minWidth: 180,
        cell: ({ scopes }) => <ScopeList scopes={scopes} />,
      },
      {
        id: 'owner',
        title: t('columns.owner'),
        width: '2fr',
        minWidth: 130,
        cell: ({ owner }) => <OwnerName owner={owner} isLink={false} />,
      },
      {
        id: 'state',
        title: t('columns.state'),
        minWidth: 110,
        cell: ({ disabled }) => (
          <Badge tone={disabled ? 'bad' : 'good'}>{states(disabled ? 'disabled' : 'enabled')}</Badge>
        ),
      },
      {
        id: 'created',
        title: t('columns.created'),
        minWidth: 140,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
    ],
    [t, states],
  );
}
