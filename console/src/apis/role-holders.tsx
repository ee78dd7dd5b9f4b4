import { useMemo } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Badge, Button, Part } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApiRoleHoldersDocument, GroupsWithApiRoleDocument } from './generated/apis.ts';
import { readScopes } from './role-rights.ts';

/** Users and groups with a role of an API. */
export function RoleHolders({ apiId, role }: { apiId: string; role: string }) {
  const variables = useMemo(() => ({ filter: { apiId, role } }), [apiId, role]);
  return (
    <div className="halves">
      <UsersWithRole variables={variables} />
      <GroupsWithRole variables={variables} />
    </div>
  );
}

interface HolderProps {
  variables: { filter: { apiId: string; role: string } };
}

function UsersWithRole({ variables }: HolderProps) {
  const t = useTranslations('roles');
  const words = useTranslations('common');
  const list = useConnection(ApiRoleHoldersDocument, variables, (data) => data.apiRoleHolders);
  return (
    <Part
      title={t('people')}
      scopes={readScopes}
      isLoading={list.isLoading}
      isMissing={list.failure !== undefined}
      isEmpty={list.items.length === 0}
      empty={t('noPeople')}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {list.items.length > 0 && (
        <ul className="rows">
          {list.items.map(({ id, displayName, userName, active }) => (
            <li key={id}>
              <div className="grow">
                <TenantLink path={`users/${id}`}>{displayName ?? userName}</TenantLink>{' '}
                {!active && <Badge tone="warn">{words('inactive')}</Badge>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
    </Part>
  );
}

function GroupsWithRole({ variables }: HolderProps) {
  const t = useTranslations('roles');
  const words = useTranslations('common');
  const list = useConnection(GroupsWithApiRoleDocument, variables, (data) => data.groupsWithApiRole);
  return (
    <Part
      title={t('groups')}
      scopes={readScopes}
      isLoading={list.isLoading}
      isMissing={list.failure !== undefined}
      isEmpty={list.items.length === 0}
      empty={t('noGroups')}
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {list.items.length > 0 && (
        <ul className="rows">
          {list.items.map(({ id, displayName }) => (
            <li key={id}>
              <div className="grow">
                <TenantLink path={`groups/${id}`}>{displayName}</TenantLink>
              </div>
            </li>
          ))}
        </ul>
      )}
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
    </Part>
  );
}
