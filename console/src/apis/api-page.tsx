import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Action, Copyable, Empty, Facts, Page, Tabs, Time } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { apiTabs } from './api-tabs.ts';
import { ClaimsTab } from './claims-tab.tsx';
import { Connect } from './connect.tsx';
import { DeleteApi } from './delete-api.tsx';
import { EditSettings } from './edit-settings.tsx';
import { EntriesTab } from './entries-tab.tsx';
import { ApiDocument } from './generated/apis.ts';
import { RolesTab } from './roles-tab.tsx';
import { VerifiersTab } from './verifiers-tab.tsx';

export function ApiPage() {
  const t = useTranslations('apis');
  const { id } = useParams({ from: '/t/$tenant/apis/$id' });
  const { data, error, loading, refetch } = useQuery(ApiDocument, { variables: { id } });
  const api = data?.api;
  const failure = error && failureOf(error);
  if (!api)
    return (
      <Page title={t('one')}>
        <FailureNote failure={failure} onRetry={() => void refetch()} />
        {!loading && !failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page title={api.name} subtitle={<code>{api.identifier}</code>} actions={<Actions api={api} />}>
      <FailureNote failure={failure} onRetry={() => void refetch()} />
      <Summary api={api} />
      <Parts api={api} />
    </Page>
  );
}

function Actions({ api }: { api: Api }) {
  const t = useTranslations('apis');
  const words = useTranslations('common');
  const [open, setOpen] = useState<'settings' | 'deletion'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Action scopes={['clients:write']} onPress={() => setOpen('settings')}>
        {t('settings')}
      </Action>
      <Action kind="danger" scopes={['clients:write']} onPress={() => setOpen('deletion')}>
        {words('delete')}
      </Action>
      {open === 'settings' && <EditSettings api={api} onClose={close} />}
      {open === 'deletion' && <DeleteApi api={api} onClose={close} />}
    </>
  );
}

function Summary({ api }: { api: Api }) {
  const t = useTranslations('apis');
  const format = useFormatter();
  const { identifier, tokenFormat, tokenLifetimeSeconds: seconds, createdAt } = api;
  return (
    <Facts
      facts={[
        [
          t('fields.identifier'),
          <Copyable key="identifier" value={identifier} label={t('fields.identifier')} />,
        ],
        [t('fields.tokenFormat'), t(`formats.${tokenFormat}`)],
        [
          t('fields.lifetime'),
          seconds === null
            ? t('usualLifetime')
            : format.number(seconds, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
        ],
        [t('fields.since'), <Time key="since" at={createdAt} />],
      ]}
    />
  );
}

function Parts({ api }: { api: Api }) {
  const t = useTranslations('apis');
  const { tab = 'scopes' } = useSearch({ from: '/t/$tenant/apis/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/apis/$id' });
  const contents = {
    scopes: (
      <EntriesTab
        api={api}
        kind="scopes"
        linkOf={({ name }) => (
          <TenantLink path="applications" search={{ scope: name }}>
            {t('scopes.apps')}
          </TenantLink>
        )}
      />
    ),
    roles: <RolesTab api={api} />,
    claims: <ClaimsTab api={api} />,
    connect: <Connect api={api} />,
    verifiers: <VerifiersTab id={api.id} />,
  };
  return (
    <Tabs
      label={t('tabs.label')}
      tabs={apiTabs.map((id) => ({ id, title: t(`tabs.${id}`), content: contents[id] }))}
      selected={tab}
      onSelect={(id) => void navigate({ search: { tab: id === 'scopes' ? undefined : id }, replace: true })}
    />
  );
}
