import { useQuery } from '@apollo/client/react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Card, Copyable, Facts, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { GroupParentsDocument } from './generated/group.ts';
import type { Group } from './group.ts';

/** Identifiers of a group, and its parent groups. */
export function GroupProfile({ group }: { group: Group }) {
  const t = useTranslations('groups.profile');
  const { data, error, loading } = useQuery(GroupParentsDocument, { variables: { id: group.id } });
  const words = useTranslations('common');
  const parents = (data?.groups?.edges ?? []).flatMap(({ node }) => node ?? []);
  const extensions = Object.entries((group.extensions ?? {}) as Record<string, unknown>);
  return (
    <div className="halves">
      <Card title={t('title')}>
        <Facts
          facts={[
            [t('id'), <Copyable key="id" value={group.id} label={t('id')} />],
            [t('created'), <Time key="created" at={group.createdAt} />],
            [t('updated'), <Time key="updated" at={group.updatedAt} />],
            [t('version'), group.version],
            ...group.externalIds.map(
              ({ source, value }) =>
                [
                  t('externalId'),
                  <span key={source}>
                    <code>{value}</code> <TenantLink path={`sources/${source}`}>{t('source')}</TenantLink>
                  </span>,
                ] as const,
            ),
            ...extensions.map(
              ([urn, value]) => [urn, <code key={urn}>{JSON.stringify(value)}</code>] as const,
            ),
          ]}
        />
      </Card>
      <Card title={t('parents')}>
        <FailureNote failure={error && failureOf(error)} />
        {parents.length === 0 && !error && (
          <p className="soft">{loading ? words('loading') : t('noParents')}</p>
        )}
        <ul className="rows">
          {parents.map(({ id, displayName }) => (
            <li key={id}>
              <TenantLink path={`groups/${id}`}>{displayName}</TenantLink>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
