import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { Action, type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { ApiListDocument } from './generated/apis.ts';
import { RegisterDialog } from './register-dialog.tsx';

const noVariables = {};

export function ApisPage() {
  const t = useTranslations('apis');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const list = useConnection(ApiListDocument, noVariables, (data) => data.apis);
  const [isRegistering, setRegistering] = useState(false);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <Action kind="primary" scopes={['clients:write']} onPress={() => setRegistering(true)}>
          {t('register')}
        </Action>
      }
    >
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Api>
        label={t('title')}
        columns={columns}
        items={list.items}
        href={({ id }) => `/t/${tenant}/apis/${id}`}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {isRegistering && (
        <RegisterDialog
          onClose={() => setRegistering(false)}
          onDone={(id) => {
            list.refetch();
            void navigate({ to: '/t/$tenant/apis/$id', params: { tenant, id } });
          }}
        />
      )}
    </Page>
  );
}

function useColumns(): ColumnOf<Api>[] {
  const t = useTranslations('apis');
  return useMemo(
    () => [
      { id: 'name', title: t('fields.name'), width: '2fr', minWidth: 140, cell: ({ name }) => name },
      {
        id: 'identifier',
        title: t('fields.identifier'),
        width: '3fr',
        minWidth: 180,
        cell: ({ identifier }) => <code>{identifier}</code>,
      },
      {
        id: 'scopes',
        title: t('fields.scopes'),
        width: '2fr',
        minWidth: 150,
        cell: ({ scopes }) => <ScopeList scopes={scopes.map(({ name }) => name)} />,
      },
      {
        id: 'format',
        title: t('fields.tokenFormat'),
        minWidth: 110,
        cell: ({ tokenFormat }) => t(`formats.${tokenFormat}`),
      },
      {
        id: 'since',
        title: t('fields.since'),
        minWidth: 130,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
    ],
    [t],
  );
}
