import { useSubscription } from '@apollo/client/react';
import { useMemo } from 'react';
import { FailureNote, useCoalesced, useConnection } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { Badge, type ColumnOf, Empty, Table, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { agentOf } from '../doors/user-agent.ts';
import {
  SignInsOfUserChangedDocument,
  SignInsOfUserDocument,
  type SignInsOfUserQuery,
} from './generated/sign-ins.ts';

type Attempt = NonNullable<
  NonNullable<NonNullable<SignInsOfUserQuery['user']>['signInAttempts']>['edges'][number]['node']
>;

const tones = { SUCCEEDED: 'good', FAILED: 'bad', DELAYED: 'warn' } as const;

/** Attempts to sign in to a user's account, with the reason for each that failed. */
export function SignInsTab({ id }: { id: string }) {
  const t = useTranslations('signIns');
  const words = useTranslations('common');
  const may = useMay('audit:read');
  const attempts = useConnection(SignInsOfUserDocument, { id }, (data) => data.user?.signInAttempts, {
    skip: !may,
  });
  const readAgain = useCoalesced(attempts.refetch);
  useSubscription(SignInsOfUserChangedDocument, {
    variables: { id },
    fetchPolicy: 'no-cache',
    skip: !may,
    onData: readAgain,
  });
  const columns = useColumns();
  if (!may) return <p className="soft">{words('needs', { scopes: 'audit:read' })}</p>;
  return (
    <div className="stack">
      <FailureNote failure={attempts.failure} onRetry={attempts.refetch} />
      <Table<Attempt>
        label={t('title')}
        columns={columns}
        items={attempts.items}
        onMore={attempts.onMore}
        isLoading={attempts.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
    </div>
  );
}

function useColumns(): ColumnOf<Attempt>[] {
  const t = useTranslations('signIns');
  return useMemo(
    () => [
      {
        id: 'when',
        title: t('columns.when'),
        width: 215,
        minWidth: 215,
        cell: ({ occurredAt }) => <Time at={occurredAt} />,
      },
      {
        id: 'outcome',
        title: t('columns.outcome'),
        width: '2fr',
        minWidth: 190,
        cell: ({ outcome, reason }) => (
          <>
            <Badge tone={tones[outcome]}>{t(`outcomes.${outcome}`)}</Badge> {reason && t(`reasons.${reason}`)}
          </>
        ),
      },
      {
        id: 'factors',
        title: t('columns.factors'),
        minWidth: 150,
        cell: ({ factors }) => factors.map((factor) => t(`factors.${factor}`)).join(', '),
      },
      {
        id: 'app',
        title: t('columns.app'),
        minWidth: 120,
        cell: ({ clientId }) => clientId ?? t('accountPage'),
      },
      {
        id: 'from',
        title: t('columns.from'),
        minWidth: 150,
        cell: ({ ipAddress, userAgent }) => {
          const { browser, system } = agentOf(userAgent ?? '');
          return (
            <span {...(userAgent ? { title: userAgent } : {})}>
              {[ipAddress, browser, system].filter(Boolean).join(' · ')}
            </span>
          );
        },
      },
    ],
    [t],
  );
}
