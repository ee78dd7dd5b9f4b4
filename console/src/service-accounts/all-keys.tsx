import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { OwnerName } from '../owners/index.ts';
import { type ColumnOf, Empty, Select, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { Expiry } from './expiry.tsx';
import { ApiKeyListDocument, type ApiKeyListQuery } from './generated/service-accounts.ts';

type Item = NonNullable<NonNullable<ApiKeyListQuery['apiKeys']>['edges'][number]['node']>;
type Which = 'expiring' | 'unused' | 'ownerless';

const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** API keys of all service accounts, with filters for expiring, unused and ownerless ones. */
export function AllKeys() {
  const t = useTranslations('serviceAccounts.keys');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { keys } = useSearch({ from: '/t/$tenant/service-accounts' });
  const navigate = useNavigate({ from: '/t/$tenant/service-accounts' });
  // Fixed at the first render: other times would be a different list in the cache.
  const [times] = useState(() => ({ soon: inDays(30), long: inDays(-90) }));
  const variables = useMemo(() => ({ filter: filterOf(keys, times) }), [keys, times]);
  const list = useConnection(ApiKeyListDocument, variables, (data) => data.apiKeys);
  const columns = useColumns();
  return (
    <>
      <div className="toolbar">
        <Select
          label={t('which')}
          options={(['all', 'expiring', 'unused', 'ownerless'] as const).map((id) => ({
            id,
            label: t(`whiches.${id}`),
          }))}
          value={keys ?? 'all'}
          onChange={(key) =>
            void navigate({
              search: { tab: 'keys', keys: key === 'all' ? undefined : (key as Which) },
              replace: true,
            })
          }
        />
        {list.total !== undefined && <span className="soft">{t('count', { count: list.total })}</span>}
      </div>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Item>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ serviceAccountId }) => `/t/${tenant}/service-accounts/${serviceAccountId}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
    </>
  );
}

const filterOf = (which: Which | undefined, { soon, long }: { soon: string; long: string }) =>
  which === 'expiring'
    ? { expiresBefore: soon }
    : which === 'unused'
      ? { unusedSince: long }
      : which === 'ownerless'
        ? { hasOwner: false }
        : {};

function useColumns(): ColumnOf<Item>[] {
  const t = useTranslations('serviceAccounts.keys.columns');
  const words = useTranslations('common');
  return useMemo(
    () => [
      { id: 'name', title: t('name'), width: '2fr', minWidth: 150, cell: ({ name }) => name },
      { id: 'hint', title: t('hint'), minWidth: 110, cell: ({ hint }) => <code>…{hint}</code> },
      {
        id: 'owner',
        title: t('owner'),
        width: '2fr',
        minWidth: 130,
        cell: ({ owner }) => <OwnerName owner={owner} isLink={false} />,
      },
      {
        id: 'used',
        title: t('used'),
        minWidth: 130,
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? words('never') : <Time at={lastUsedAt} relative />),
      },
      {
        id: 'expires',
        title: t('expires'),
        minWidth: 150,
        cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
      },
    ],
    [t, words],
  );
}
