import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { Action, Badge, ButtonLink, type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { SourceListDocument } from './generated/sources.ts';
import { lastActivityOf, ownerName, type Source, stateTone } from './source.ts';

const noVariables = {};

export function SourcesPage() {
  const t = useTranslations('sources');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const list = useConnection(SourceListDocument, noVariables, (data) => data.connectors);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      subtitle={list.total === undefined ? t('lead') : t('count', { count: list.total })}
      actions={<AddSource />}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Source>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/sources/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          <Empty title={t('empty')}>
            <p>{t('emptyHint')}</p>
            <AddSource />
          </Empty>
        }
      />
    </Page>
  );
}

function AddSource() {
  const t = useTranslations('sources');
  const { tenant } = useParams({ from: '/t/$tenant' });
  return useMay('connectors:write') ? (
    <ButtonLink kind="primary" href={`/t/${tenant}/sources/new`}>
      {t('add')}
    </ButtonLink>
  ) : (
    <Action scopes={['connectors:write']}>{t('add')}</Action>
  );
}

function useColumns(): ColumnOf<Source>[] {
  const t = useTranslations('sources');
  return useMemo(
    () => [
      { id: 'name', title: t('columns.name'), width: '2fr', minWidth: 150, cell: ({ name }) => name },
      {
        id: 'state',
        title: t('columns.state'),
        minWidth: 100,
        cell: ({ status }) => <Badge tone={stateTone(status)}>{t(`states.${status}`)}</Badge>,
      },
      {
        id: 'profile',
        title: t('columns.profile'),
        minWidth: 120,
        cell: ({ profile }) => t(`profiles.${profile}`),
      },
      {
        id: 'active',
        title: t('columns.lastActivity'),
        minWidth: 130,
        cell: (source) => {
          const at = lastActivityOf(source);
          return at === undefined ? (
            <span className="soft">{t('noActivity')}</span>
          ) : (
            <Time at={at} relative />
          );
        },
      },
      {
        id: 'owner',
        title: t('columns.owner'),
        width: '1.5fr',
        minWidth: 130,
        cell: ({ owner }) => (owner ? ownerName(owner) : <span className="soft">{t('nobody')}</span>),
      },
    ],
    [t],
  );
}
