import './users.css';
import { useApolloClient, useQuery, useSubscription } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Key, Selection } from 'react-aria-components';
import { FailureNote, useCoalesced, useConnection } from '../graph/index.ts';
import { Action, ButtonLink, Empty, Page, Table } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { UserCountDocument, UserListChangesDocument, UserListDocument } from './generated/users.ts';
import { BulkBar } from './list/bulk-bar.tsx';
import { columnsIn, type PersonInList, useColumns } from './list/columns.tsx';
import { CreateDialog } from './list/create-dialog.tsx';
import type { ListSearch } from './list/list-search.ts';
import { ListToolbar } from './list/list-toolbar.tsx';
import { variablesOf } from './list/query.ts';

export function UsersPage() {
  const t = useTranslations('users');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const search = useSearch({ from: '/t/$tenant/users' });
  const navigate = useNavigate({ from: '/t/$tenant/users' });
  const { list, total } = useUsers(search);
  const columns = useColumns(useMemo(() => columnsIn(search.columns ?? ''), [search.columns]));
  const { chosen, selected, select, clear } = useChosen(list.items);
  const [isCreating, setCreating] = useState(false);
  // The selection applies to one list only.
  const change = (to: ListSearch) => {
    if (!('columns' in to)) clear();
    void navigate({ search: (before) => withoutEmpty({ ...before, ...to }), replace: true });
  };
  useUserPageAhead();
  const isNarrowed = Boolean(search.q || search.filter || search.active);
  return (
    <Page
      title={t('title')}
      subtitle={total === undefined ? undefined : t('count', { count: total })}
      actions={
        <>
          <ButtonLink href={`/t/${tenant}/users/deleted`}>{t('deleted.title')}</ButtonLink>
          <Action kind="primary" scopes={['users:write']} onPress={() => setCreating(true)}>
            {t('create.open')}
          </Action>
        </>
      }
    >
      <ListToolbar
        search={search}
        onChange={change}
        onView={(view) => {
          clear();
          void navigate({ search: view, replace: true });
        }}
      />
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {chosen.length > 0 && <BulkBar people={chosen} onClear={clear} onDone={list.refetch} />}
      <Table<PersonInList>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/users/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        selected={selected}
        onSelect={select}
        empty={
          isNarrowed ? (
            <Empty title={t('emptySearch')}>{t('emptySearchHint')}</Empty>
          ) : (
            <Empty title={t('empty')}>{t('emptyHint')}</Empty>
          )
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** Selected users. "All" selects the loaded users only, not those that are loaded later. */
function useChosen(people: readonly PersonInList[]) {
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  return {
    selected: selected as Selection,
    chosen: people.filter(({ id }) => selected.has(id)),
    select: (to: Selection) => setSelected(to === 'all' ? new Set(people.map(({ id }) => id)) : to),
    clear: () => setSelected(new Set()),
  };
}

/** Preloads the page of a user, which is likely to be opened next. */
function useUserPageAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void import('./user-page.tsx'), 300);
    return () => clearTimeout(timer);
  }, []);
}

function useUsers(search: ListSearch) {
  const { filter, active, order } = search;
  const q = useDeferredValue(search.q?.trim() ?? '');
  const variables = useMemo(
    () => variablesOf(withoutEmpty({ q, filter, active, order })),
    [q, filter, active, order],
  );
  const list = useConnection(UserListDocument, variables, (data) => data.users);
  // The count is a separate query, so that the list does not wait for it. It bypasses the cache, which holds the pages
  // of the list.
  const { filter: text, where } = variables;
  const count = useQuery(UserCountDocument, {
    variables: { ...(text === undefined ? {} : { filter: text }), ...(where === undefined ? {} : { where }) },
    fetchPolicy: 'no-cache',
  });
  const { refetch } = list;
  const { cache } = useApolloClient();
  const readAgain = useCoalesced(() => {
    refetch();
    void count.refetch();
  });
  // Users of events stay in the cache, although no list shows them.
  const collect = useCoalesced(() => void cache.gc(), { restMs: 10_000 });
  // The cache applies updates of listed users. Created and deleted users change the list; so may missed events, which
  // have no content.
  useSubscription(UserListChangesDocument, {
    onData: ({ data: { data } }) => {
      collect();
      if (data?.userChanged && !['CREATED', 'DELETED'].includes(data.userChanged.kind)) return;
      readAgain();
    },
  });
  return { list, total: count.data?.users?.totalCount };
}

/** Empty values are omitted from the address. */
const withoutEmpty = (search: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
