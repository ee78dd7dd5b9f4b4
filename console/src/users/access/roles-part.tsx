import { useState } from 'react';
import { FailureNote, useChange } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { type RoleName, roles } from '../../roles/parts.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Action, Badge, FormDialog, Note, Part, Select } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { AccessPathsProps, Doors } from '../doors/use-doors.ts';
import { GivePersonRoleDocument, TakePersonRoleDocument } from './generated/access.ts';

const readScopes = ['roles:read', 'roles:write'] as const;

/** Roles of a user, with the reasons. */
export function RolesPart({ id, doors, isLoading, failure, refetch: again }: AccessPathsProps) {
  const t = useTranslations('access.roles');
  const take = useChange(TakePersonRoleDocument);
  const [isGiving, setGiving] = useState(false);
  const sources = doors?.roleSources ?? [];
  return (
    <Part
      title={t('title')}
      scopes={readScopes}
      isLoading={isLoading}
      isMissing={!doors?.roleSources && failure !== undefined}
      isEmpty={sources.length === 0}
      empty={t('empty')}
      actions={
        <Action kind="plain" scopes={['roles:write']} onPress={() => setGiving(true)}>
          {t('give')}
        </Action>
      }
    >
      {sources.length > 0 && (
        <ul className="rows">
          {sources.map((source) => (
            <HeldRole
              key={source.role}
              source={source}
              onTake={() => void take.run({ userId: id, role: source.role }).then(again)}
            />
          ))}
        </ul>
      )}
      {take.failure && <FailureNote failure={take.failure} />}
      {take.problems[0] && <Note tone="bad">{take.problems[0].message}</Note>}
      {isGiving && (
        <GiveRole
          id={id}
          held={sources.filter(({ direct }) => direct).map(({ role }) => role)}
          onClose={() => setGiving(false)}
          onDone={again}
        />
      )}
    </Part>
  );
}

type RoleSource = NonNullable<Doors['roleSources']>[number];

/** A role with all its sources. */
function HeldRole({ source, onTake }: { source: RoleSource; onTake(): void }) {
  const { role, direct, groups, notCarriedBy } = source;
  const t = useTranslations('access.roles');
  const names = useTranslations('roles.names');
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <Badge tone="warn">{names(role)}</Badge>
        </div>
        <ul className="reasons soft">
          {direct && <li>{t('direct')}</li>}
          {groups.map((group) => (
            <li key={group.id}>
              {t.rich('byGroup', {
                group: () => <TenantLink path={`groups/${group.id}`}>{group.displayName}</TenantLink>,
              })}
            </li>
          ))}
          {notCarriedBy.map((way) => (
            <li key={way}>{t('notCarried', { way: t(`ways.${way}`) })}</li>
          ))}
        </ul>
      </div>
      {direct && (
        <ConfirmedAction
          scopes={['roles:write']}
          label={t('take')}
          about={names(role)}
          sentence={groups.length > 0 ? t('takeStays') : t('takeHint')}
          onConfirm={onTake}
        />
      )}
    </li>
  );
}

function GiveRole({
  id,
  held,
  onClose,
  onDone,
}: {
  id: string;
  held: readonly RoleName[];
  onClose(): void;
  onDone(): void;
}) {
  const t = useTranslations('access.roles');
  const words = useTranslations('roles');
  const give = useChange(GivePersonRoleDocument);
  const open = roles.filter((role) => !held.includes(role));
  const [role, setRole] = useState<RoleName | undefined>(open.at(-1));
  const submit = async () => {
    if (!role || !(await give.run({ userId: id, role }))) return;
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
      <Select
        label={t('role')}
        options={open.map((one) => ({ id: one, label: words(`names.${one}`) }))}
        value={role ?? null}
        onChange={(value) => setRole(open.find((one) => one === value))}
      />
      {role && <p className="soft">{words(`explanations.${role}`)}</p>}
      <p className="soft">{t('giveHint')}</p>
      <FailureNote failure={give.failure} />
    </FormDialog>
  );
}
