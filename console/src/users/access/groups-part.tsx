import { useState } from 'react';
import { FailureNote, useChange, useConnection } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { useMay } from '../../session/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Action, Badge, Button, FormDialog, type Found, Note, Part } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import {
  AddToGroupDocument,
  PersonGroupsDocument,
  type PersonGroupsQuery,
  TakeOutOfGroupDocument,
} from './generated/access.ts';
import { GroupPicker } from './pickers.tsx';

type Membership = NonNullable<NonNullable<PersonGroupsQuery['user']>['groupsConnection']>['edges'][number];

const connectionOf = (data: PersonGroupsQuery) => {
  const list = data.user?.groupsConnection;
  return list && { ...list, edges: list.edges.map((edge) => ({ node: edge })) };
};

/** Groups of a user, direct and through other groups. */
export function GroupsPart({ id }: { id: string }) {
  const t = useTranslations('access.groups');
  const words = useTranslations('common');
  const may = useMay('users:read', 'groups:read');
  const list = useConnection<PersonGroupsQuery, { id: string; after?: string | null }, Membership>(
    PersonGroupsDocument,
    { id },
    connectionOf,
    { skip: !may },
  );
  const take = useChange(TakeOutOfGroupDocument);
  const [isAdding, setAdding] = useState(false);
  return (
    <Part
      title={t('title')}
      scopes={['users:read', 'groups:read']}
      isLoading={list.isLoading}
      isMissing={list.failure !== undefined}
      isEmpty={list.items.length === 0}
      empty={t('empty')}
      actions={
        <Action kind="plain" scopes={['groups:write']} onPress={() => setAdding(true)}>
          {t('add')}
        </Action>
      }
    >
      {list.items.length > 0 && (
        <>
          <ul className="rows">
            {list.items.map(({ node: group, direct }) => (
              <li key={group.id}>
                <div className="grow">
                  <TenantLink path={`groups/${group.id}`}>{group.displayName}</TenantLink>{' '}
                  {!direct && <Badge>{t('nested')}</Badge>}
                </div>
                {direct && (
                  <ConfirmedAction
                    scopes={['groups:write']}
                    label={t('take')}
                    about={group.displayName}
                    sentence={t('takeHint')}
                    onConfirm={() => void take.run({ groupId: group.id, memberIds: [id] }).then(list.refetch)}
                  />
                )}
              </li>
            ))}
          </ul>
          {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
        </>
      )}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {take.failure && <FailureNote failure={take.failure} />}
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      {isAdding && <AddToGroup id={id} onClose={() => setAdding(false)} onDone={list.refetch} />}
    </Part>
  );
}

function AddToGroup({ id, onClose, onDone }: { id: string; onClose(): void; onDone(): void }) {
  const t = useTranslations('access.groups');
  const add = useChange(AddToGroupDocument);
  const [group, setGroup] = useState<Found>();
  const submit = async () => {
    if (!group || !(await add.run({ groupId: group.id, memberIds: [id] }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t('addTitle')}
      isOpen
      onClose={onClose}
      submit={t('add')}
      onSubmit={() => void submit()}
      isBusy={add.isBusy}
      problem={add.problems[0]?.message}
    >
      <GroupPicker label={t('group')} hint={t('groupHint')} onChoose={setGroup} autoFocus />
      <FailureNote failure={add.failure} />
    </FormDialog>
  );
}
