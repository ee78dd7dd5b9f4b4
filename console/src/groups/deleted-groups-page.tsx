import { useParams } from '@tanstack/react-router';
import { FailureNote, useChange, useConnection } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, ButtonLink, type ColumnOf, Empty, Note, Page, Table, Time } from '../ui/index.ts';
import { ActorName } from '../users/parts.ts';
import { useTranslations } from '../words/index.ts';
import {
  DeletedGroupListDocument,
  type DeletedGroupListQuery,
  PurgeDeletedGroupDocument,
  RestoreDeletedGroupDocument,
} from './generated/groups.ts';

type Deleted = NonNullable<NonNullable<DeletedGroupListQuery['deletedGroups']>['edges'][number]['node']> & {
  id: string;
};

/** Deleted groups that can still be restored. */
export function DeletedGroupsPage() {
  const t = useTranslations('groups.deleted');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const list = useConnection(DeletedGroupListDocument, {}, (data) => data.deletedGroups);
  const restore = useChange(RestoreDeletedGroupDocument);
  const purge = useChange(PurgeDeletedGroupDocument);
  const again = (done: object | undefined) => done && list.refetch();
  const columns = useColumns({
    restore: (group) => void restore.run(group).then(again),
    purge: (group) => void purge.run(group).then(again),
  });
  const problem = [...restore.problems, ...purge.problems][0];
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={<ButtonLink href={`/t/${tenant}/groups`}>{t('back')}</ButtonLink>}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <FailureNote failure={restore.failure ?? purge.failure} />
      {problem && <Note tone="bad">{problem.message}</Note>}
      <Table<Deleted>
        label={t('title')}
        columns={columns}
        items={list.items.map((one) => ({ ...one, id: one.resourceId }))}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
    </Page>
  );
}

type Act = (one: { id: string; version: number }) => void;

function useColumns({ restore, purge }: { restore: Act; purge: Act }): ColumnOf<Deleted>[] {
  const t = useTranslations('groups.deleted');
  return [
    { id: 'name', title: t('name'), width: '2fr', minWidth: 150, cell: ({ name }) => name },
    { id: 'at', title: t('at'), minWidth: 130, cell: ({ deletedAt }) => <Time at={deletedAt} relative /> },
    { id: 'by', title: t('by'), minWidth: 130, cell: ({ deletedBy }) => <ActorName actor={deletedBy} /> },
    {
      id: 'until',
      title: t('until'),
      minWidth: 130,
      cell: ({ restorableUntil }) => <Time at={restorableUntil} />,
    },
    {
      id: 'actions',
      title: t('actions'),
      minWidth: 220,
      cell: ({ id, version, name }) => (
        <span className="actions">
          <Action
            kind="plain"
            scopes={['groups:write']}
            aria-label={t('restoreOf', { name })}
            onPress={() => restore({ id, version })}
          >
            {t('restore')}
          </Action>
          <ConfirmedAction
            scopes={['groups:write']}
            label={t('purge')}
            about={name}
            sentence={t('purgeHint')}
            onConfirm={() => purge({ id, version })}
          />
        </span>
      ),
    },
  ];
}
