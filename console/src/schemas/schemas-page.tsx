import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { Action, type ColumnOf, Empty, Page, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateSchemaDialog } from './create-schema-dialog.tsx';
import { SchemaListDocument } from './generated/schemas.ts';
import type { Schema } from './schema.ts';

/** Extension schemas of users and groups. */
export function SchemasPage() {
  const t = useTranslations('schemas');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const { data, error, loading, refetch } = useQuery(SchemaListDocument);
  const [isMaking, setMaking] = useState(false);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      subtitle={t('lead')}
      actions={
        <Action kind="primary" scopes={['tenants:write']} onPress={() => setMaking(true)}>
          {t('create')}
        </Action>
      }
    >
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      <Table<Schema>
        label={t('title')}
        columns={columns}
        items={data?.schemasConnection?.edges.map(({ node }) => node) ?? []}
        href={({ id }) => `/t/${tenant}/schemas/${encodeURIComponent(id)}`}
        isLoading={loading && !data}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {isMaking && (
        <CreateSchemaDialog
          onClose={() => setMaking(false)}
          onDone={(id) => void navigate({ to: '/t/$tenant/schemas/$id', params: { tenant, id } })}
        />
      )}
    </Page>
  );
}

function useColumns(): ColumnOf<Schema>[] {
  const t = useTranslations('schemas');
  return useMemo(
    () => [
      { id: 'name', title: t('fields.name'), width: '2fr', minWidth: 130, cell: ({ name }) => name },
      { id: 'id', title: t('fields.id'), width: '3fr', minWidth: 200, cell: ({ id }) => <code>{id}</code> },
      {
        id: 'of',
        title: t('fields.resourceType'),
        minWidth: 100,
        cell: ({ resourceType }) => t(`resourceTypes.${resourceType}`),
      },
      {
        id: 'attributes',
        title: t('attributes'),
        minWidth: 100,
        cell: ({ attributes }) => attributes.length,
      },
      {
        id: 'changed',
        title: t('changed'),
        minWidth: 130,
        cell: ({ updatedAt }) => <Time at={updatedAt} relative />,
      },
    ],
    [t],
  );
}
