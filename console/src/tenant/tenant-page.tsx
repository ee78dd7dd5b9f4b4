import { useQuery } from '@apollo/client/react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FailureNote, failureOf } from '../graph/index.ts';
import { Page, Tabs } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { TenantSettingsDocument } from './generated/tenant.ts';
import { Policy } from './policy.tsx';
import { Settings } from './settings.tsx';
import { SignInFacts } from './sign-in-facts.tsx';
import { tenantTabs } from './tenant-tabs.ts';

/** Policy and settings of the tenant, and settings of the installation. */
export function TenantPage() {
  const t = useTranslations('tenant');
  const { tab = 'policy' } = useSearch({ from: '/t/$tenant/tenant' });
  const navigate = useNavigate({ from: '/t/$tenant/tenant' });
  const { data, error, refetch } = useQuery(TenantSettingsDocument);
  const tenant = data?.tenant;
  const contents = {
    policy: <Policy />,
    tenant: tenant ? <Settings tenant={tenant} /> : null,
    signIn: tenant?.signInSettings ? <SignInFacts settings={tenant.signInSettings} /> : null,
  };
  return (
    <Page title={t('title')} subtitle={tenant?.name}>
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      <Tabs
        label={t('title')}
        tabs={tenantTabs.map((id) => ({ id, title: t(`tabs.${id}`), content: contents[id] }))}
        selected={tab}
        onSelect={(id) => void navigate({ search: { tab: id === 'policy' ? undefined : id }, replace: true })}
      />
    </Page>
  );
}
