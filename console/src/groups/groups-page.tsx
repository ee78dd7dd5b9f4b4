import { useApolloClient, useQuery, useSubscription } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { FailureNote, useCoalesced, useConnection } from '../graph/index.ts';
import {
  Action,
  ButtonLink,
  type ColumnOf,
  Empty,
  Note,
  Page,
  SearchField,
  Select,
  Table,
  Time,
} from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateGroupDialog } from './create-group-dialog.tsx';
import {
  GroupCountDocument,
  GroupListChangesDocument,
  GroupListDocument,
  type GroupListQuery,
  GroupsSharingNamesDocument,
} from './generated/groups.ts';

type GroupInList = NonNullable<NonNullable<GroupListQuery['groups']>['edges'][number]['node']>;
type Order = 'displayName' | '-createdAt' | '-updatedAt';

interface Search {
  q: string | undefined;
  order: Order | undefined;
  shared: 'yes' | undefined;
}

export function GroupsPage() {
  const t = useTranslations('groups');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { q = '', order = 'displayName', shared } = useSearch({ from: '/t/$tenant/groups' });
  const navigate = useNavigate({ from: '/t/$tenant/groups' });
  const { list, total } = useGroups(q.trim(), order, shared === 'yes');
  const columns = useColumns();
  const [isCreating, setCreating] = useState(false);
  const change = (to: Partial<Search>) =>
    void navigate({ search: (before) => ({ ...before, ...to }), replace: true });
  return (
    <Page
      title={t('title')}
      subtitle={total === undefined ? undefined : t('count', { count: total })}
      actions={
        <>
          <ButtonLink href={`/t/${tenant}/groups/deleted`}>{t('deleted.title')}</ButtonLink>
          <Action kind="primary" scopes={['groups:write']} onPress={() => setCreating(true)}>
            {t('create.open')}
          </Action>
        </>
      }
    >
      <Toolbar search={{ q, order, shared }} onChange={change} />
      {shared === 'yes' && <Note>{t('sharedHint')}</Note>}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<GroupInList>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/groups/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          q === '' && shared === undefined ? (
            <Empty title={t('empty')}>{t('emptyHint')}</Empty>
          ) : (
            <Empty title={t('emptySearch')}>{t('emptySearchHint')}</Empty>
          )
        }
      />
      {isCreating && <CreateGroupDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Toolbar({ search, onChange }: { search: Search; onChange(to: Partial<Search>): void }) {
  const t = useTranslations('groups');
  const { q = '', order = 'displayName', shared } = search;
  return (
    <div className="toolbar">
      <SearchField label={t('search')} value={q} onChange={(value) => onChange({ q: value || undefined })} />
      <Select
        label={t('order')}
        options={(['displayName', '-createdAt', '-updatedAt'] as const).map((id) => ({
          id,
          label: t(`orders.${id}`),
        }))}
        value={order}
        onChange={(value) => onChange({ order: orderOf(value) })}
      />
      <Select
        label={t('show')}
        options={[
          { id: 'all', label: t('shows.all') },
          { id: 'shared', label: t('shows.shared') },
        ]}
        value={shared === 'yes' ? 'shared' : 'all'}
        onChange={(value) => onChange({ shared: value === 'shared' ? 'yes' : undefined })}
      />
    </div>
  );
}

const orderOf = (value: unknown): Order | undefined =>
  value === '-createdAt' || value === '-updatedAt' ? value : undefined;

const fields = {
  displayName: { field: 'DISPLAY_NAME', direction: 'ASC' },
  '-createdAt': { field: 'CREATED_AT', direction: 'DESC' },
  '-updatedAt': { field: 'UPDATED_AT', direction: 'DESC' },
} as const;

function useGroups(typed: string, order: Order, isShared: boolean) {
  const text = useDeferredValue(typed);
  const where = useMemo(() => (text === '' ? {} : { where: { displayName: { startsWith: text } } }), [text]);
  const found = useConnection(
    GroupListDocument,
    useMemo(() => ({ ...where, orderBy: fields[order] }), [where, order]),
    (data) => data.groups,
    { skip: isShared },
  );
  const shared = useConnection(GroupsSharingNamesDocument, {}, (data) => data.groupsSharingNames, {
    skip: !isShared,
  });
  const count = useQuery(GroupCountDocument, { variables: where, fetchPolicy: 'no-cache', skip: isShared });
  const list = isShared ? shared : found;
  const { cache } = useApolloClient();
  const readAgain = useCoalesced(() => {
    list.refetch();
    if (!isShared) void count.refetch();
  });
  // Groups of events stay in the cache, although no list shows them.
  const collect = useCoalesced(() => void cache.gc(), { restMs: 10_000 });
  useSubscription(GroupListChangesDocument, {
    onData: ({ data: { data } }) => {
      collect();
      if (data?.groupChanged && !['CREATED', 'DELETED'].includes(data.groupChanged.kind)) return;
      readAgain();
    },
  });
  return { list, total: isShared ? shared.total : count.data?.groups?.totalCount };
}

function useColumns(): ColumnOf<GroupInList>[] {
  const t = useTranslations('groups.columns');
  return useMemo(
    () => [
      { id: 'name', title: t('name'), width: '3fr', minWidth: 180, cell: ({ displayName }) => displayName },
      {
        id: 'changed',
        title: t('changed'),
        minWidth: 130,
        cell: ({ updatedAt }) => <Time at={updatedAt} relative />,
      },
      { id: 'created', title: t('created'), minWidth: 130, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ],
    [t],
  );
}
