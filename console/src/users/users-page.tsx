import './users.css';
import { useQuery, useSubscription } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Key, Selection } from 'react-aria-components';
import { FailureNote, useConnection } from '../graph/index.ts';
import { Action, ButtonLink, Empty, Page, Table } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { UserCountDocument, UserListChangesDocument, UserListDocument } from './generated/users.ts';
import { BulkBar } from './list/bulk-bar.tsx';
import { columnsIn, type PersonInList, useColumns } from './list/columns.tsx';
import { CreateDialog } from './list/create-dialog.tsx';
import type { ListSearch } from './list/list-search.ts';
import { ListToolbar } from './list/list-toolbar.tsx';
import { variablesOf } from './list/query.ts';

/** The people of a tenant, found as one types, in lists of any length. */
export function UsersPage() {
  const t = useTranslations('users');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const search = useSearch({ from: '/t/$tenant/users' });
  const navigate = useNavigate({ from: '/t/$tenant/users' });
  const { list, total } = useUsers(search);
  const columns = useColumns(useMemo(() => columnsIn(search.columns ?? ''), [search.columns]));
  const { chosen, selected, select, clear } = useChosen(list.items);
  const [isCreating, setCreating] = useState(false);
  // Who was chosen in one list isn't in another.
  const change = (to: ListSearch) => {
    if (!('columns' in to)) clear();
    void navigate({ search: (before) => withoutEmpty({ ...before, ...to }), replace: true });
  };
  usePersonPageAhead();
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

/** Who is chosen, by name: all are those who were there when it was said, and nobody who comes into the list later. */
function useChosen(people: readonly PersonInList[]) {
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  return {
    selected: selected as Selection,
    chosen: people.filter(({ id }) => selected.has(id)),
    select: (to: Selection) => setSelected(to === 'all' ? new Set(people.map(({ id }) => id)) : to),
    clear: () => setSelected(new Set()),
  };
}

/** Who looks at the list opens somebody next: that page is here by then. */
function usePersonPageAhead(): void {
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
  // Counting is by itself, so that no list waits for it; and in no cache, where the list has its pages.
  const { filter: text, where } = variables;
  const count = useQuery(UserCountDocument, {
    variables: { ...(text === undefined ? {} : { filter: text }), ...(where === undefined ? {} : { where }) },
    fetchPolicy: 'no-cache',
  });
  const { refetch } = list;
  // What changes about people who are shown is written into them by the cache; who is new or gone changes the list, and so may
  // whatever was missed.
  useSubscription(UserListChangesDocument, {
    onData: ({ data: { data } }) => {
      if (data?.userChanged && !['CREATED', 'DELETED'].includes(data.userChanged.kind)) return;
      refetch();
      void count.refetch();
    },
  });
  return { list, total: count.data?.users?.totalCount };
}

/** What says nothing isn't in the address. */
const withoutEmpty = (search: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
