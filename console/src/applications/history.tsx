import { useMemo } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { useMay } from '../session/index.ts';
import { Card, type ColumnOf, Empty, Note, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApplicationHistoryDocument, type ApplicationHistoryQuery } from './generated/applications.ts';
import type { Application } from './registration/metadata.ts';

type Entry = NonNullable<NonNullable<ApplicationHistoryQuery['securityLog']>['edges'][number]['node']>;

/** Entries of the security log: requests through the client, and changes of the client. */
export function History({ application }: { application: Application }) {
  const t = useTranslations('applications.history');
  const failures = useTranslations('failures');
  const mayRead = useMay('audit:read');
  if (!mayRead) return <Note tone="warn">{failures('forbidden', { scopes: 'audit:read' })}</Note>;
  return (
    <>
      <Card title={t('through')}>
        <p className="soft">{t('throughHint')}</p>
        <Entries label={t('through')} filter="clientId" id={application.id} />
      </Card>
      <Card title={t('changes')}>
        <Entries label={t('changes')} filter="resourceId" id={application.id} />
      </Card>
    </>
  );
}

function Entries({ label, filter, id }: { label: string; filter: 'clientId' | 'resourceId'; id: string }) {
  const t = useTranslations('applications.history');
  const variables = useMemo(() => ({ filter: { [filter]: id } }), [filter, id]);
  const list = useConnection(ApplicationHistoryDocument, variables, (data) => data.securityLog);
  const columns = useColumns();
  return (
    <>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Entry>
        label={label}
        columns={columns}
        items={list.items}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')} />}
      />
    </>
  );
}

function useColumns(): ColumnOf<Entry>[] {
  const t = useTranslations('applications.history');
  return useMemo(
    () => [
      {
        id: 'action',
        title: t('action'),
        width: '2fr',
        minWidth: 150,
        cell: ({ action }) => <code>{action}</code>,
      },
      {
        id: 'person',
        title: t('person'),
        width: '2fr',
        minWidth: 130,
        cell: ({ user }) =>
          user && <TenantLink path={`users/${user.id}`}>{user.displayName ?? user.userName}</TenantLink>,
      },
      {
        id: 'actor',
        title: t('actor'),
        width: '2fr',
        minWidth: 130,
        cell: ({ actor }) => actor.name ?? <code>{actor.actorId}</code>,
      },
      { id: 'address', title: t('address'), minWidth: 120, cell: ({ ipAddress }) => ipAddress },
      {
        id: 'at',
        title: t('at'),
        minWidth: 140,
        cell: ({ occurredAt }) => <Time at={occurredAt} relative />,
      },
    ],
    [t],
  );
}
