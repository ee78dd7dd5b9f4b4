import { useQuery } from '@apollo/client/react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay } from '../session/index.ts';
import { Badge, Button, Card } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  GroupRoleAssignmentsDocument,
  GroupsWithRolesDocument,
  RoleAssignmentsDocument,
  type RoleAssignmentsQuery,
} from './generated/roles.ts';
import type { RoleName } from './role-scopes.ts';

type Holder = NonNullable<
  NonNullable<NonNullable<RoleAssignmentsQuery['securityLog']>['edges'][number]['node']>['user']
>;

/**
 * Users with a role, with the reason. The security log returns the assignments, the directory the current state. Users
 * with the role through a group are in the member list of the group.
 */
export function RoleHolders({ role }: { role: RoleName }) {
  const t = useTranslations('roles');
  const words = useTranslations('common');
  const mayLog = useMay('audit:read');
  const { people, isLoading, failure, onMore, refetch } = useHolders(role, !mayLog);
  if (!mayLog) return <p className="soft">{words('needs', { scopes: 'audit:read' })}</p>;
  return (
    <div className="halves">
      <Card title={t('people')}>
        <FailureNote failure={failure} onRetry={refetch} />
        {people.length === 0 && !failure && (
          <p className="soft">{isLoading ? words('loading') : t('noPeople')}</p>
        )}
        <ul className="rows">
          {people.map((person) => (
            <HolderRow key={person.id} person={person} role={role} />
          ))}
        </ul>
        {onMore && <Button onPress={onMore}>{words('more')}</Button>}
        <p className="soft">{t('peopleHint')}</p>
      </Card>
      <GroupsGiving role={role} />
    </div>
  );
}

function HolderRow({ person, role }: { person: Holder; role: RoleName }) {
  const t = useTranslations('access.roles');
  const words = useTranslations('common');
  const source = person.roleSources?.find((one) => one.role === role);
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <TenantLink path={`users/${person.id}`}>{person.displayName ?? person.userName}</TenantLink>{' '}
          {!person.active && <Badge tone="warn">{words('inactive')}</Badge>}
        </div>
        <ul className="reasons soft">
          {source?.direct && <li>{t('direct')}</li>}
          {source?.groups.map(({ id, displayName }) => (
            <li key={id}>
              {t.rich('byGroup', {
                group: () => <TenantLink path={`groups/${id}`}>{displayName}</TenantLink>,
              })}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

function useHolders(role: RoleName, skip: boolean) {
  const list = useConnection(RoleAssignmentsDocument, {}, (data) => data.securityLog, { skip });
  const found = new Map<string, Holder>();
  for (const { user } of list.items)
    if (user?.roleSources?.some((source) => source.role === role)) found.set(user.id, user);
  return { ...list, people: [...found.values()] };
}

function GroupsGiving({ role }: { role: RoleName }) {
  const t = useTranslations('roles');
  const groupWords = useTranslations('groups.roles');
  const words = useTranslations('common');
  const may = useMay('groups:read');
  const log = useConnection(GroupRoleAssignmentsDocument, {}, (data) => data.securityLog, { skip: !may });
  const ids = [...new Set(log.items.map(({ resourceId }) => resourceId))].slice(0, 100);
  const { data } = useQuery(GroupsWithRolesDocument, { variables: { ids }, skip: ids.length === 0 });
  const groups = (data?.nodes ?? []).flatMap((node) => {
    if (!node || !('roleGrants' in node)) return [];
    const { id, displayName, roleGrants } = node;
    const grant = roleGrants?.find((one) => one.role === role);
    return grant ? [{ id, displayName, grant }] : [];
  });
  return (
    <Card title={t('groups')}>
      <FailureNote failure={log.failure} onRetry={log.refetch} />
      {groups.length === 0 && !log.failure && (
        <p className="soft">{log.isLoading ? words('loading') : t('noGroups')}</p>
      )}
      <ul className="rows">
        {groups.map(({ id, displayName, grant }) => (
          <li key={id}>
            <div className="grow">
              <div className="row-title">
                <TenantLink path={`groups/${id}`}>{displayName}</TenantLink>
              </div>
              <div className="soft">
                {grant.managedBySources ? groupWords('managed') : groupWords('notManaged')}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {log.onMore && <Button onPress={log.onMore}>{words('more')}</Button>}
    </Card>
  );
}
