import { useMemo, useState } from 'react';
import { FailureNote, useChange, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay } from '../session/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Badge, Button, Checkbox, FormDialog, Note, Part, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  GiveGroupApiRoleDocument,
  GroupApiRolesDocument,
  type GroupApiRolesQuery,
  TakeGroupApiRoleDocument,
} from './generated/roles.ts';
import { type ChosenRole, RoleChoice } from './role-choice.tsx';
import { readScopes, useAssignScopes } from './role-rights.ts';

type Granted = NonNullable<
  NonNullable<NonNullable<GroupApiRolesQuery['group']>['apiRoleGrants']>['edges'][number]['node']
>;

/** Roles of APIs that all members of a group have. */
export function GroupApiRoles({ group }: { group: { id: string; displayName: string } }) {
  const t = useTranslations('apis.assigned');
  const words = useTranslations('common');
  const mayRead = useMay(...readScopes);
  const apis = useMay('clients:read', 'clients:write');
  const scopes = useAssignScopes();
  const variables = useMemo(() => ({ id: group.id, apis }), [group.id, apis]);
  const list = useConnection(GroupApiRolesDocument, variables, (data) => data.group?.apiRoleGrants, {
    skip: !mayRead,
  });
  const take = useChange(TakeGroupApiRoleDocument);
  const [isGiving, setGiving] = useState(false);
  return (
    <Part
      title={t('groupTitle')}
      scopes={readScopes}
      count={list.total}
      isLoading={list.isLoading}
      isMissing={list.failure !== undefined}
      isEmpty={list.items.length === 0}
      empty={t('groupEmpty')}
      actions={
        <Action kind="plain" scopes={scopes} onPress={() => setGiving(true)}>
          {t('give')}
        </Action>
      }
    >
      {list.items.length > 0 && (
        <ul className="rows">
          {list.items.map((granted, index) => (
            <GrantedRole
              key={`${granted.api?.id ?? index} ${granted.role}`}
              granted={granted}
              onTake={(apiId) =>
                void take.run({ groupId: group.id, apiId, role: granted.role }).then(list.refetch)
              }
            />
          ))}
        </ul>
      )}
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {take.failure && <FailureNote failure={take.failure} />}
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      {isGiving && <GiveRole group={group} onClose={() => setGiving(false)} onDone={list.refetch} />}
    </Part>
  );
}

function GrantedRole({ granted, onTake }: { granted: Granted; onTake(apiId: string): void }) {
  const { role, api, managedBySources, createdAt } = granted;
  const t = useTranslations('groups.roles');
  const words = useTranslations('apis.assigned');
  const scopes = useAssignScopes();
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <Badge>{role}</Badge> {api && <TenantLink path={`apis/${api.id}`}>{api.name}</TenantLink>}
        </div>
        <div className="soft row-facts">
          <span>{t.rich('since', { time: () => <Time at={createdAt} /> })}</span>
          <span>{managedBySources ? t('managed') : t('notManaged')}</span>
        </div>
      </div>
      {api && (
        <ConfirmedAction
          scopes={scopes}
          label={t('take')}
          about={role}
          sentence={words('groupTakeHint')}
          onConfirm={() => onTake(api.id)}
        />
      )}
    </li>
  );
}

function GiveRole({
  group,
  onClose,
  onDone,
}: {
  group: { id: string; displayName: string };
  onClose(): void;
  onDone(): void;
}) {
  const t = useTranslations('apis.assigned');
  const words = useTranslations('groups.roles');
  const give = useChange(GiveGroupApiRoleDocument);
  const [chosen, setChosen] = useState<ChosenRole>();
  const [isMissing, setMissing] = useState(false);
  const [managedBySources, setManaged] = useState(false);
  const submit = async () => {
    setMissing(!chosen);
    if (!chosen || !(await give.run({ groupId: group.id, ...chosen, managedBySources }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={words('giveTitle', { name: group.displayName })}
      isOpen
      onClose={onClose}
      submit={t('give')}
      onSubmit={() => void submit()}
      isBusy={give.isBusy}
      problem={give.problems[0]?.message}
    >
      <RoleChoice onChoose={setChosen} isMissing={isMissing && !chosen} />
      <Checkbox isSelected={managedBySources} onChange={setManaged}>
        {words('managedBySources')}
      </Checkbox>
      <p className="soft">{t('groupGiveHint')}</p>
      <FailureNote failure={give.failure} />
    </FormDialog>
  );
}
