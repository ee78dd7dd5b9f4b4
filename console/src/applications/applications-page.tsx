import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { OwnerName } from '../owners/index.ts';
import { useSession } from '../session/index.ts';
import { Action, Badge, type ColumnOf, Empty, Page, SearchField, Select, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApplicationListDocument, type ApplicationListQuery } from './generated/applications.ts';
import { useGrantName } from './grant-name.ts';
import { grantTypes, kindOf } from './kinds.ts';

type Item = NonNullable<NonNullable<ApplicationListQuery['clients']>['edges'][number]['node']>;

interface Search {
  q?: string | undefined;
  type?: 'CONFIDENTIAL' | 'PUBLIC' | undefined;
  state?: 'enabled' | 'disabled' | undefined;
  owner?: string | undefined;
  grant?: string | undefined;
  scope?: string | undefined;
}

export function ApplicationsPage() {
  const t = useTranslations('applications');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const search = useSearch({ from: '/t/$tenant/applications' });
  const navigate = useNavigate({ from: '/t/$tenant/applications' });
  const { subject } = useSession();
  const filter = useDeferredValue(JSON.stringify(filterOf(search, subject)));
  const variables = useMemo(() => ({ filter: JSON.parse(filter) as ReturnType<typeof filterOf> }), [filter]);
  const list = useConnection(ApplicationListDocument, variables, (data) => data.clients);
  const columns = useColumns();
  const change = (next: Search) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <Page
      title={t('title')}
      subtitle={list.total === undefined ? undefined : t('count', { count: list.total })}
      actions={
        <Action
          kind="primary"
          scopes={['clients:write']}
          onPress={() => void navigate({ to: '/t/$tenant/applications/new', params: { tenant } })}
        >
          {t('register')}
        </Action>
      }
    >
      <Filters search={search} onChange={change} />
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Item>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/applications/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          filter === '{}' ? (
            <Empty title={t('empty')}>{t('emptyHint')}</Empty>
          ) : (
            <Empty title={t('emptySearch')}>{t('emptySearchHint')}</Empty>
          )
        }
      />
    </Page>
  );
}

function Filters({ search, onChange }: { search: Search; onChange(next: Search): void }) {
  const t = useTranslations('applications');
  const grantName = useGrantName();
  const any = 'all';
  const chosen = (key: unknown) => (key === any ? undefined : String(key));
  return (
    <div className="toolbar">
      <SearchField label={t('search')} value={search.q ?? ''} onChange={(q) => onChange({ q })} />
      <Select
        label={t('filters.grant')}
        options={[
          { id: any, label: t('filters.all') },
          ...grantTypes.map((id) => ({ id, label: grantName(id) })),
        ]}
        value={search.grant ?? any}
        onChange={(key) => onChange({ grant: chosen(key) })}
      />
      <Select
        label={t('filters.type')}
        options={[
          { id: any, label: t('filters.all') },
          { id: 'CONFIDENTIAL', label: t('types.CONFIDENTIAL') },
          { id: 'PUBLIC', label: t('types.PUBLIC') },
        ]}
        value={search.type ?? any}
        onChange={(key) => onChange({ type: chosen(key) as Search['type'] })}
      />
      <Select
        label={t('filters.state')}
        options={[
          { id: any, label: t('filters.all') },
          { id: 'enabled', label: t('states.enabled') },
          { id: 'disabled', label: t('states.disabled') },
        ]}
        value={search.state ?? any}
        onChange={(key) => onChange({ state: chosen(key) as Search['state'] })}
      />
      <Select
        label={t('filters.owner')}
        options={[
          { id: any, label: t('filters.all') },
          { id: 'mine', label: t('filters.mine') },
          { id: 'any', label: t('filters.owned') },
          { id: 'none', label: t('filters.nobody') },
          ...(isNamed(search.owner) ? [{ id: search.owner, label: t('filters.named') }] : []),
        ]}
        value={search.owner ?? any}
        onChange={(key) => onChange({ owner: chosen(key) })}
      />
    </div>
  );
}

const isNamed = (owner: string | undefined): owner is string =>
  owner !== undefined && !['', 'mine', 'any', 'none'].includes(owner);

/** Returns the filter of the graph; unset conditions are omitted. */
function filterOf({ q = '', type, state, owner = '', grant = '', scope = '' }: Search, subject: string) {
  const name = q.trim();
  return {
    ...(name === '' ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(state === undefined ? {} : { disabled: state === 'disabled' }),
    ...(owner === 'none' ? { hasOwner: false } : owner === 'any' ? { hasOwner: true } : {}),
    ...(owner === 'mine' ? { ownerId: subject } : isNamed(owner) ? { ownerId: owner } : {}),
    ...(grant === '' ? {} : { grantType: grant }),
    ...(scope === '' ? {} : { scope }),
  };
}

function useColumns(): ColumnOf<Item>[] {
  const t = useTranslations('applications');
  return useMemo(
    () => [
      { id: 'name', title: t('columns.name'), width: '3fr', minWidth: 160, cell: ({ name }) => name },
      {
        id: 'kind',
        title: t('columns.kind'),
        width: '2fr',
        minWidth: 130,
        cell: (item) => t(`kinds.${kindOf(item)}.title`),
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
          <Badge tone={disabled ? 'bad' : 'good'}>{t(disabled ? 'states.disabled' : 'states.enabled')}</Badge>
        ),
      },
      {
        id: 'created',
        title: t('columns.created'),
        minWidth: 140,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
      {
        id: 'used',
        title: t('lastUsed'),
        minWidth: 140,
        cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} relative /> : t('neverUsed')),
      },
    ],
    [t],
  );
}
