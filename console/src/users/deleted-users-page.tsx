import './users.css';
import { useParams } from '@tanstack/react-router';
import { FailureNote, useChange, useConnection } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, ButtonLink, type ColumnOf, Empty, Note, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  DeletedPeopleDocument,
  type DeletedPeopleQuery,
  PurgePersonDocument,
  RestorePersonDocument,
} from './generated/deleted.ts';
import { ActorName } from './timeline/actor-name.tsx';

type Deleted = NonNullable<NonNullable<DeletedPeopleQuery['deletedUsers']>['edges'][number]['node']> & {
  id: string;
};

/** Deleted users who can still be restored. */
export function DeletedUsersPage() {
  const t = useTranslations('users.deleted');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const list = useConnection(DeletedPeopleDocument, {}, (data) => data.deletedUsers);
  const restore = useChange(RestorePersonDocument);
  const purge = useChange(PurgePersonDocument);
  const again = (done: object | undefined) => done && list.refetch();
  const columns = useColumns({
    restore: (person) => void restore.run(person).then(again),
    purge: (person) => void purge.run(person).then(again),
  });
  const problem = [...restore.problems, ...purge.problems][0];
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={<ButtonLink href={`/t/${tenant}/users`}>{t('back')}</ButtonLink>}
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
  const t = useTranslations('users.deleted');
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
            scopes={['users:write']}
            aria-label={t('restoreOf', { name })}
            onPress={() => restore({ id, version })}
          >
            {t('restore')}
          </Action>
          <ConfirmedAction
            scopes={['users:write']}
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
