import './branding.css';
import { useQuery } from '@apollo/client/react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { Page } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { Editor } from './editor.tsx';
import { BrandingDocument } from './generated/branding.ts';

export function BrandingPage() {
  const t = useTranslations('branding');
  const { data, error, refetch } = useQuery(BrandingDocument);
  const branding = data?.tenantBranding;
  return (
    <Page title={t('title')} subtitle={t('lead')}>
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      {branding && <Editor branding={branding} tenantName={data.tenant?.name ?? ''} />}
    </Page>
  );
}
