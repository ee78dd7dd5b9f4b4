import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, failureOf, otherProblem, useChange } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { Action, Card, Code, Empty, Facts, FormDialog, Page, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { Bindings } from './bindings.tsx';
import {
  AssertionClientsDocument,
  DeleteTrustedIssuerDocument,
  TrustedIssuerListDocument,
} from './generated/trusted-issuers.ts';
import type { Issuer } from './issuer.ts';

export function TrustedIssuerPage() {
  const t = useTranslations('trustedIssuers');
  const { id } = useParams({ from: '/t/$tenant/trusted-issuers/$id' });
  const [isDeleting, setDeleting] = useState(false);
  const { data, error, loading, refetch } = useQuery(TrustedIssuerListDocument);
  const issuer = data?.trustedIssuersConnection?.edges.find(({ node }) => node.id === id)?.node;
  const failure = error && failureOf(error);
  if (!issuer)
    return (
      <Page title={t('one')}>
        <FailureNote failure={failure} onRetry={() => void refetch()} />
        {!loading && !failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page
      title={issuer.name}
      subtitle={<code>{issuer.issuer}</code>}
      actions={
        <Action kind="danger" scopes={['clients:write']} onPress={() => setDeleting(true)}>
          {t('delete')}
        </Action>
      }
    >
      <FailureNote failure={failure} onRetry={() => void refetch()} />
      <Registration issuer={issuer} />
      <Bindings issuer={issuer} />
      {isDeleting && <DeleteDialog issuer={issuer} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Registration({ issuer }: { issuer: Issuer }) {
  const t = useTranslations('trustedIssuers');
  const { data } = useQuery(AssertionClientsDocument);
  const names = new Map(
    data?.clients?.edges.flatMap(({ node }) => (node ? [[node.id, node.name] as const] : [])),
  );
  return (
    <Card title={t('registration')}>
      <Facts
        facts={[
          [t('fields.jwksUri'), issuer.jwksUri ?? undefined],
          [
            t('fields.clientIds'),
            <ul key="clients" className="rows">
              {issuer.clientIds.map((id) => (
                <li key={id}>
                  <TenantLink path={`applications/${id}`}>{names.get(id) ?? id}</TenantLink>
                </li>
              ))}
            </ul>,
          ],
          [t('fields.scopes'), <ScopeList key="scopes" scopes={issuer.scopes} />],
          [t('fields.since'), <Time key="since" at={issuer.createdAt} />],
        ]}
      />
      {issuer.jwks !== null && <Code label={t('fields.jwks')} text={issuer.jwks} />}
      <p className="soft">{t('unchangeable')}</p>
    </Card>
  );
}

function DeleteDialog({ issuer, onClose }: { issuer: Issuer; onClose(): void }) {
  const t = useTranslations('trustedIssuers');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const change = useChange(DeleteTrustedIssuerDocument);
  const submit = async () => {
    if (await change.run({ id: issuer.id, version: issuer.version }))
      await navigate({ to: '/t/$tenant/trusted-issuers', params: { tenant } });
  };
  return (
    <FormDialog
      title={t('deleteTitle', { name: issuer.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={t('delete')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t('deleteLead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
