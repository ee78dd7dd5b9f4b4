import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { GroupApiRoles } from '../apis/parts.ts';
import { FailureNote, failureOf, useChange } from '../graph/index.ts';
import { type RoleName, roles } from '../roles/parts.ts';
import { useMay } from '../session/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Badge, Checkbox, FormDialog, Note, Part, Select, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { GiveGroupRoleDocument, GroupRolesDocument, TakeGroupRoleDocument } from './generated/group.ts';
import type { Group } from './group.ts';

const readScopes = ['roles:read', 'roles:write'] as const;

/** Roles that all members of the group have: of the tenant and of APIs. */
export const GroupRolesTab = ({ group }: { group: Group }) => (
  <div className="stack">
    <TenantRoles group={group} />
    <GroupApiRoles group={group} />
  </div>
);

function TenantRoles({ group }: { group: Group }) {
  const t = useTranslations('groups.roles');
  const names = useTranslations('roles.names');
  const may = useMay(...readScopes);
  const { data, loading, error, refetch } = useQuery(GroupRolesDocument, {
    variables: { id: group.id },
    skip: !may,
  });
  const take = useChange(TakeGroupRoleDocument);
  const [isGiving, setGiving] = useState(false);
  const again = () => void refetch();
  const grants = data?.group?.roleGrants ?? [];
  return (
    <Part
      title={t('title')}
      scopes={readScopes}
      isLoading={loading}
      isMissing={error !== undefined}
      isEmpty={grants.length === 0}
      empty={t('empty')}
      actions={
        <Action kind="plain" scopes={['roles:write']} onPress={() => setGiving(true)}>
          {t('give')}
        </Action>
      }
    >
      {grants.length > 0 && (
        <ul className="rows">
          {grants.map(({ role, managedBySources, createdAt }) => (
            <li key={role}>
              <div className="grow">
                <div className="row-title">
                  <Badge tone="warn">{names(role)}</Badge>
                </div>
                <div className="soft row-facts">
                  <span>{t.rich('since', { time: () => <Time at={createdAt} /> })}</span>
                  <span>{managedBySources ? t('managed') : t('notManaged')}</span>
                </div>
              </div>
              <ConfirmedAction
                scopes={['roles:write']}
                label={t('take')}
                about={names(role)}
                sentence={t('takeHint')}
                onConfirm={() => void take.run({ groupId: group.id, role }).then(again)}
              />
            </li>
          ))}
        </ul>
      )}
      <FailureNote failure={error && failureOf(error)} onRetry={again} />
      {take.failure && <FailureNote failure={take.failure} />}
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      {isGiving && <GiveRole group={group} onClose={() => setGiving(false)} onDone={again} />}
    </Part>
  );
}

function GiveRole({ group, onClose, onDone }: { group: Group; onClose(): void; onDone(): void }) {
  const t = useTranslations('groups.roles');
  const words = useTranslations('roles');
  const give = useChange(GiveGroupRoleDocument);
  const [role, setRole] = useState<RoleName>('AUDITOR');
  const [managedBySources, setManaged] = useState(false);
  const submit = async () => {
    if (!(await give.run({ groupId: group.id, role, managedBySources }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t('giveTitle', { name: group.displayName })}
      isOpen
      onClose={onClose}
      submit={t('give')}
      isBusy={give.isBusy}
      onSubmit={() => void submit()}
      problem={give.problems[0]?.message}
    >
      <Select
        label={t('role')}
        options={roles.map((id) => ({ id, label: words(`names.${id}`) }))}
        value={role}
        onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
      />
      <p className="soft">{words(`explanations.${role}`)}</p>
      <Checkbox isSelected={managedBySources} onChange={setManaged}>
        {t('managedBySources')}
      </Checkbox>
      <p className="soft">{t('giveHint')}</p>
      <FailureNote failure={give.failure} />
    </FormDialog>
  );
}
