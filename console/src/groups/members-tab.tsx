import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Key, Selection } from 'react-aria-components';
import { FailureNote, useChange, useConnection, useOnChange } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Badge, type ColumnOf, Empty, Note, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AddMembersDialog } from './add-members-dialog.tsx';
import { GroupMembersDocument, type GroupMembersQuery, TakeMembersDocument } from './generated/group.ts';
import type { Group } from './group.ts';

type Node = NonNullable<
  NonNullable<NonNullable<GroupMembersQuery['group']>['members']>['edges'][number]['node']
>;
type Member = Node & { id: string };

/** Direct members of the group (users and groups), in pages. */
export function MembersTab({ group }: { group: Group }) {
  const t = useTranslations('groups.members');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const list = useConnection(GroupMembersDocument, { id: group.id }, (data) => data.group?.members);
  const take = useChange(TakeMembersDocument);
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const columns = useColumns();
  const members = useMemo(
    () => list.items.map((one): Member => ({ ...one, id: one.memberId })),
    [list.items],
  );
  const chosen = members.filter(({ id }) => selected.has(id)).slice(0, 100);
  // "All" selects the loaded members only, not those that are loaded later.
  const select = (to: Selection) => setSelected(to === 'all' ? new Set(members.map(({ id }) => id)) : to);
  const { refetch } = list;
  useOnChange(group.version, refetch);
  const remove = async () => {
    if (!(await take.run({ groupId: group.id, memberIds: chosen.map(({ id }) => id) }))) return;
    setSelected(new Set());
    refetch();
  };
  return (
    <div className="stack">
      <div className="toolbar">
        <Action kind="primary" scopes={['groups:write']} onPress={() => setAdding(true)}>
          {t('add')}
        </Action>
        {chosen.length > 0 && (
          <ConfirmedAction
            kind="danger"
            scopes={['groups:write']}
            label={t('take', { count: chosen.length })}
            sentence={t('takeHint')}
            onConfirm={() => void remove()}
          />
        )}
      </div>
      <FailureNote failure={list.failure ?? take.failure} onRetry={refetch} />
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      <Table<Member>
        label={t('title')}
        columns={columns}
        items={members}
        href={({ id, type }) => `/t/${tenant}/${type === 'GROUP' ? 'groups' : 'users'}/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        selected={selected as Selection}
        onSelect={select}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {isAdding && <AddMembersDialog group={group} onClose={() => setAdding(false)} onDone={refetch} />}
    </div>
  );
}

function useColumns(): ColumnOf<Member>[] {
  const t = useTranslations('groups.members');
  const words = useTranslations('common');
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: '2fr',
        minWidth: 160,
        cell: ({ displayName }) => displayName,
      },
      {
        id: 'userName',
        title: t('columns.userName'),
        width: '2fr',
        minWidth: 140,
        cell: ({ user }) => user?.userName,
      },
      {
        id: 'type',
        title: t('columns.type'),
        minWidth: 110,
        cell: ({ type, user }) =>
          type === 'GROUP' ? (
            <Badge>{t('group')}</Badge>
          ) : user && !user.active ? (
            <Badge tone="warn">{words('inactive')}</Badge>
          ) : (
            t('person')
          ),
      },
      {
        id: 'added',
        title: t('columns.added'),
        width: 215,
        minWidth: 150,
        cell: ({ addedAt }) => <Time at={addedAt} />,
      },
    ],
    [t, words],
  );
}
