import { FailureNote, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay } from '../session/index.ts';
import { Badge, Button, Card } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { GroupsWithRoleDocument, RoleHoldersDocument, type RoleHoldersQuery } from './generated/roles.ts';
import type { RoleName } from './role-scopes.ts';

type Holder = NonNullable<NonNullable<RoleHoldersQuery['roleHolders']>['edges'][number]['node']>;

/** Users with a role, each with the sources of the role, and the groups that assign it. */
export function RoleHolders({ role }: { role: RoleName }) {
  return (
    <div className="halves">
      <UsersWithRole role={role} />
      <GroupsWithRole role={role} />
    </div>
  );
}

function UsersWithRole({ role }: { role: RoleName }) {
  const t = useTranslations('roles');
  const words = useTranslations('common');
  const may = useMay('users:read');
  const list = useConnection(RoleHoldersDocument, { role }, (data) => data.roleHolders, { skip: !may });
  if (!may) return <p className="soft">{words('needs', { scopes: 'users:read' })}</p>;
  return (
    <Card title={t('people')}>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {list.items.length === 0 && !list.failure && (
        <p className="soft">{list.isLoading ? words('loading') : t('noPeople')}</p>
      )}
      <ul className="rows">
        {list.items.map((holder) => (
          <HolderRow key={holder.id} holder={holder} role={role} />
        ))}
      </ul>
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
      <p className="soft">{t('peopleHint')}</p>
    </Card>
  );
}

function HolderRow({ holder, role }: { holder: Holder; role: RoleName }) {
  const t = useTranslations('access.roles');
  const words = useTranslations('common');
  const source = holder.roleSources?.find((one) => one.role === role);
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <TenantLink path={`users/${holder.id}`}>{holder.displayName ?? holder.userName}</TenantLink>{' '}
          {!holder.active && <Badge tone="warn">{words('inactive')}</Badge>}
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

function GroupsWithRole({ role }: { role: RoleName }) {
  const t = useTranslations('roles');
  const groupWords = useTranslations('groups.roles');
  const words = useTranslations('common');
  const may = useMay('groups:read');
  const list = useConnection(GroupsWithRoleDocument, { role }, (data) => data.groupsWithRole, { skip: !may });
  if (!may) return <p className="soft">{words('needs', { scopes: 'groups:read' })}</p>;
  return (
    <Card title={t('groups')}>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {list.items.length === 0 && !list.failure && (
        <p className="soft">{list.isLoading ? words('loading') : t('noGroups')}</p>
      )}
      <ul className="rows">
        {list.items.map(({ id, displayName, roleGrants }) => (
          <li key={id}>
            <div className="grow">
              <div className="row-title">
                <TenantLink path={`groups/${id}`}>{displayName}</TenantLink>
              </div>
              <div className="soft">
                {roleGrants?.find((grant) => grant.role === role)?.managedBySources
                  ? groupWords('managed')
                  : groupWords('notManaged')}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
    </Card>
  );
}
