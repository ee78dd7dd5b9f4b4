import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Badge, Empty, Facts, Page, Tabs, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AttributeRule } from './attributes/attribute-rule.tsx';
import { Compatibility } from './compatibility.tsx';
import { SourceByIdDocument } from './generated/sources.ts';
import { SourceChanges } from './requests/source-changes.tsx';
import { SourceRequests } from './requests/source-requests.tsx';
import type { SourceTab } from './search.ts';
import { lastActivityOf, ownerName, ownerPath, type SourceSettings, stateTone } from './source.ts';
import { SourceActions } from './source-actions.tsx';
import { SourceConnection } from './source-connection.tsx';
import { SourceRights } from './source-rights.tsx';

export function SourcePage() {
  const t = useTranslations('sources');
  const { id } = useParams({ from: '/t/$tenant/sources/$id' });
  const { data, error, refetch, loading } = useQuery(SourceByIdDocument, { variables: { id } });
  const source = data?.connector;
  if (!source)
    return (
      <Page title={t('one')}>
        <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
        {!loading && !error && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  const lastActivity = lastActivityOf(source);
  return (
    <Page
      title={source.name}
      subtitle={
        <>
          <Badge tone={stateTone(source.status)}>{t(`states.${source.status}`)}</Badge>{' '}
          {lastActivity === undefined ? (
            t('neverUsed')
          ) : (
            <>
              {t('lastRequest')} <Time at={lastActivity} relative />
            </>
          )}
        </>
      }
      actions={<SourceActions source={source} />}
    >
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      <Facts
        facts={[
          [
            t('columns.owner'),
            source.owner ? (
              <TenantLink key="owner" path={ownerPath(source.owner)}>
                {ownerName(source.owner)}
              </TenantLink>
            ) : (
              t('nobodyHint')
            ),
          ],
          [t('columns.profile'), t(`profiles.${source.profile}`)],
          [t('created'), <Time key="created" at={source.createdAt} />],
        ]}
      />
      <SourceTabs source={source} onReread={() => void refetch()} />
    </Page>
  );
}

function SourceTabs({ source, onReread }: { source: SourceSettings; onReread(): void }) {
  const t = useTranslations('sources.tabs');
  const { tab = 'requests' } = useSearch({ from: '/t/$tenant/sources/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/sources/$id' });
  return (
    <Tabs<SourceTab>
      label={source.name}
      selected={tab}
      onSelect={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
      tabs={[
        { id: 'requests', title: t('requests'), content: <SourceRequests source={source.id} /> },
        { id: 'connection', title: t('connection'), content: <SourceConnection source={source} /> },
        { id: 'rights', title: t('rights'), content: <SourceRights source={source} onReread={onReread} /> },
        {
          id: 'attributes',
          title: t('attributes'),
          content: <AttributeRule source={source} onReread={onReread} />,
        },
        {
          id: 'compatibility',
          title: t('compatibility'),
          content: <Compatibility source={source} onReread={onReread} />,
        },
        { id: 'changes', title: t('changes'), content: <SourceChanges source={source.id} /> },
      ]}
    />
  );
}
