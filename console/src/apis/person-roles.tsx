import { useMemo, useState } from 'react';
import { FailureNote, useChange, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay } from '../session/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Badge, Button, FormDialog, Note, Part } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  GivePersonApiRoleDocument,
  PersonApiRolesDocument,
  type PersonApiRolesQuery,
  TakePersonApiRoleDocument,
} from './generated/roles.ts';
import { type ChosenRole, RoleChoice } from './role-choice.tsx';
import { readScopes, useAssignScopes } from './role-rights.ts';

type Held = NonNullable<
  NonNullable<NonNullable<PersonApiRolesQuery['user']>['apiRoleSources']>['edges'][number]['node']
>;

/** Roles of APIs that a user has, with the reasons. */
export function PersonApiRoles({ id }: { id: string }) {
  const t = useTranslations('apis.assigned');
  const words = useTranslations('common');
  const mayRead = useMay(...readScopes);
  const apis = useMay('clients:read', 'clients:write');
  const scopes = useAssignScopes();
  const variables = useMemo(() => ({ id, apis }), [id, apis]);
  const list = useConnection(PersonApiRolesDocument, variables, (data) => data.user?.apiRoleSources, {
    skip: !mayRead,
  });
  const take = useChange(TakePersonApiRoleDocument);
  const [isGiving, setGiving] = useState(false);
  return (
    <Part
      title={t('title')}
      scopes={readScopes}
      count={list.total}
      isLoading={list.isLoading}
      isMissing={list.failure !== undefined}
      isEmpty={list.items.length === 0}
      empty={t('empty')}
      actions={
        <Action kind="plain" scopes={scopes} onPress={() => setGiving(true)}>
          {t('give')}
        </Action>
      }
    >
      {list.items.length > 0 && (
        <ul className="rows">
          {list.items.map((held, index) => (
            <HeldRole
              key={`${held.api?.id ?? index} ${held.role}`}
              held={held}
              onTake={(apiId) => void take.run({ userId: id, apiId, role: held.role }).then(list.refetch)}
            />
          ))}
        </ul>
      )}
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {take.failure && <FailureNote failure={take.failure} />}
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      {isGiving && <GiveRole id={id} onClose={() => setGiving(false)} onDone={list.refetch} />}
    </Part>
  );
}

function HeldRole({ held, onTake }: { held: Held; onTake(apiId: string): void }) {
  const { role, direct, groups, api } = held;
  const t = useTranslations('apis.assigned');
  const reasons = useTranslations('access.roles');
  const scopes = useAssignScopes();
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <Badge>{role}</Badge> {api && <TenantLink path={`apis/${api.id}`}>{api.name}</TenantLink>}
        </div>
        <ul className="reasons soft">
          {direct && <li>{reasons('direct')}</li>}
          {groups.map((group) => (
            <li key={group.id}>
              {reasons.rich('byGroup', {
                group: () => <TenantLink path={`groups/${group.id}`}>{group.displayName}</TenantLink>,
              })}
            </li>
          ))}
        </ul>
      </div>
      {direct && api && (
        <ConfirmedAction
          scopes={scopes}
          label={reasons('take')}
          about={role}
          sentence={groups.length > 0 ? t('takeStays') : t('takeHint')}
          onConfirm={() => onTake(api.id)}
        />
      )}
    </li>
  );
}

function GiveRole({ id, onClose, onDone }: { id: string; onClose(): void; onDone(): void }) {
  const t = useTranslations('apis.assigned');
  const give = useChange(GivePersonApiRoleDocument);
  const [chosen, setChosen] = useState<ChosenRole>();
  const [isMissing, setMissing] = useState(false);
  const submit = async () => {
    setMissing(!chosen);
    if (!chosen || !(await give.run({ userId: id, ...chosen }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t('giveTitle')}
      isOpen
      onClose={onClose}
      submit={t('give')}
      onSubmit={() => void submit()}
      isBusy={give.isBusy}
      problem={give.problems[0]?.message}
    >
      <RoleChoice onChoose={setChosen} isMissing={isMissing && !chosen} />
      <p className="soft">{t('giveHint')}</p>
      <FailureNote failure={give.failure} />
    </FormDialog>
  );
}
