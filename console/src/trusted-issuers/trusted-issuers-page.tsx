import { useQuery } from '@apollo/client/react';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { Action, type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import { TrustedIssuerListDocument } from './generated/trusted-issuers.ts';
import type { Issuer } from './issuer.ts';

export function TrustedIssuersPage() {
  const t = useTranslations('trustedIssuers');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { data, error, loading, refetch } = useQuery(TrustedIssuerListDocument);
  const [isMaking, setMaking] = useState(false);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <Action kind="primary" scopes={['clients:write']} onPress={() => setMaking(true)}>
          {t('create')}
        </Action>
      }
    >
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      <Table<Issuer>
        label={t('title')}
        columns={columns}
        items={data?.trustedIssuersConnection?.edges.map(({ node }) => node) ?? []}
        href={({ id }) => `/t/${tenant}/trusted-issuers/${id}`}
        isLoading={loading && !data}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {isMaking && <CreateDialog onClose={() => setMaking(false)} onDone={() => void refetch()} />}
    </Page>
  );
}

function useColumns(): ColumnOf<Issuer>[] {
  const t = useTranslations('trustedIssuers.fields');
  return useMemo(
    () => [
      { id: 'name', title: t('name'), width: '2fr', minWidth: 140, cell: ({ name }) => name },
      {
        id: 'issuer',
        title: t('issuer'),
        width: '3fr',
        minWidth: 180,
        cell: ({ issuer }) => <code>{issuer}</code>,
      },
      {
        id: 'scopes',
        title: t('scopes'),
        width: '2fr',
        minWidth: 150,
        cell: ({ scopes }) => <ScopeList scopes={scopes} />,
      },
      {
        id: 'since',
        title: t('since'),
        minWidth: 130,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
    ],
    [t],
  );
}
