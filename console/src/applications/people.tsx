import { useMemo, useState } from 'react';
import { FailureNote, otherProblem, useChange, useConnection } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { useMay } from '../session/index.ts';
import { Button, type ColumnOf, Empty, FormDialog, Note, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  ApplicationGrantsDocument,
  type ApplicationGrantsQuery,
  RevokeApplicationGrantDocument,
} from './generated/applications.ts';
import type { Application } from './registration/metadata.ts';

type Grant = NonNullable<NonNullable<ApplicationGrantsQuery['grants']>['edges'][number]['node']>;

/** Users with an active grant for the client. */
export function People({ application }: { application: Application }) {
  const t = useTranslations('applications.people');
  const failures = useTranslations('failures');
  const mayRead = useMay('sessions:read');
  const variables = useMemo(() => ({ filter: { clientId: application.id } }), [application.id]);
  const list = useConnection(ApplicationGrantsDocument, variables, (data) => data.grants, { skip: !mayRead });
  const [revoked, setRevoked] = useState<Grant>();
  const columns = useColumns(setRevoked);
  if (!mayRead) return <Note tone="warn">{failures('forbidden', { scopes: 'sessions:read' })}</Note>;
  return (
    <>
      {list.total !== undefined && <p className="soft">{t('count', { count: list.total })}</p>}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Grant>
        label={t('title')}
        columns={columns}
        items={list.items}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {revoked && (
        <RevokeDialog
          grant={revoked}
          application={application}
          onClose={() => setRevoked(undefined)}
          onDone={list.refetch}
        />
      )}
    </>
  );
}

function useColumns(onRevoke: (grant: Grant) => void): ColumnOf<Grant>[] {
  const t = useTranslations('applications.people');
  const mayWrite = useMay('sessions:write');
  return useMemo(
    () => [
      {
        id: 'person',
        title: t('person'),
        width: '2fr',
        minWidth: 140,
        cell: ({ user }) =>
          user ? (
            <TenantLink path={`users/${user.id}`}>{user.displayName ?? user.userName}</TenantLink>
          ) : (
            t('unknown')
          ),
      },
      {
        id: 'scopes',
        title: t('scopes'),
        width: '3fr',
        minWidth: 160,
        cell: ({ scopes }) => <ScopeList scopes={scopes} />,
      },
      {
        id: 'since',
        title: t('since'),
        minWidth: 130,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
      {
        id: 'until',
        title: t('until'),
        minWidth: 130,
        cell: ({ expiresAt }) => <Time at={expiresAt} relative />,
      },
      ...(mayWrite
        ? [
            {
              id: 'revoke',
              title: t('actions'),
              width: 120,
              cell: (grant: Grant) => (
                <Button kind="plain" onPress={() => onRevoke(grant)}>
                  {t('revoke')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, mayWrite, onRevoke],
  );
}

function RevokeDialog({
  grant,
  application,
  onClose,
  onDone,
}: {
  grant: Grant;
  application: Application;
  onClose(): void;
  onDone(): void;
}) {
  const t = useTranslations('applications.people');
  const change = useChange(RevokeApplicationGrantDocument, (cache, { id }) => {
    cache.evict({ id: cache.identify({ __typename: 'Grant', id }) ?? '' });
  });
  const submit = async () => {
    if (!(await change.run({ id: grant.id }))) return;
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={t('revokeTitle')}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={t('revoke')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>
        {t('revokeLead', {
          person: grant.user?.displayName ?? grant.user?.userName ?? t('unknown'),
          app: application.name,
        })}
      </p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
