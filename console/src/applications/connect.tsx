import { useState } from 'react';
import { Card, Code, Copyable, Facts, Note, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type IssuerMetadata, useIssuer, useIssuerMetadata } from './issuer.ts';
import { hasRedirect, kindOf } from './kinds.ts';
import type { Application } from './registration/metadata.ts';
import { type SnippetContext, snippetsOf } from './snippets/index.ts';
import { TestSignIn } from './test-sign-in.tsx';

/** Shows the values and snippets for the configuration of an application. */
export function Connect({ application }: { application: Application }) {
  const t = useTranslations('applications.connect');
  const issuer = useIssuer();
  const metadata = useIssuerMetadata();
  const kind = kindOf(application);
  return (
    <>
      <Card title={t('values')}>
        <p className="soft">{t('valuesLead')}</p>
        <Facts
          facts={[
            [t('issuer'), <Copyable key="issuer" value={issuer} label={t('issuer')} />],
            [t('clientId'), <Copyable key="id" value={application.id} label={t('clientId')} />],
            [
              t('clientSecret'),
              application.type === 'PUBLIC'
                ? t('noSecret')
                : application.tokenEndpointAuthMethod === 'PRIVATE_KEY_JWT'
                  ? t('ownKey')
                  : t('secretElsewhere'),
            ],
            ...application.redirectUris.map(
              (uri) =>
                [t('redirectUri'), <Copyable key={uri} value={uri} label={t('redirectUri')} />] as const,
            ),
            [
              t('discovery'),
              <Copyable
                key="discovery"
                value={`${issuer}/.well-known/openid-configuration`}
                label={t('discovery')}
              />,
            ],
          ]}
        />
        <Endpoints metadata={metadata} />
      </Card>
      <Snippets application={application} metadata={metadata} />
      {hasRedirect(kind) && <TestSignIn application={application} metadata={metadata} />}
    </>
  );
}

function Endpoints({ metadata }: { metadata: IssuerMetadata | undefined }) {
  const t = useTranslations('applications.connect');
  if (!metadata) return null;
  const endpoints = Object.entries(metadata).filter(([name]) => name !== 'issuer');
  return (
    <details>
      <summary>{t('endpoints')}</summary>
      <Facts
        facts={endpoints.map(([name, address]) => [
          name,
          <Copyable key={name} value={address ?? ''} label={name} />,
        ])}
      />
    </details>
  );
}

function Snippets({
  application,
  metadata,
}: {
  application: Application;
  metadata: IssuerMetadata | undefined;
}) {
  const t = useTranslations('applications.connect');
  const issuer = useIssuer();
  const context: SnippetContext = {
    issuer,
    clientId: application.id,
    redirectUri: application.redirectUris[0],
    scope: application.scopes.join(' '),
    isConfidential: application.type === 'CONFIDENTIAL',
    authMethod: application.tokenEndpointAuthMethod,
    resource: application.resources[0],
    tokenEndpoint: metadata?.token_endpoint ?? `${issuer}/token`,
    deviceEndpoint: metadata?.device_authorization_endpoint,
  };
  const snippets = snippetsOf(kindOf(application), context);
  const [chosen, setChosen] = useState(snippets[0]?.id);
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  if (!snippet) return null;
  return (
    <Card title={t('snippets')}>
      {snippets.length > 1 && (
        <Select
          label={t('framework')}
          options={snippets.map(({ id, title }) => ({ id, label: title }))}
          value={snippet.id}
          onChange={(key) => setChosen(String(key))}
        />
      )}
      {snippet.notes.map((note) => (
        <Note key={note} tone="warn">
          {t(`notes.${note}`)}
        </Note>
      ))}
      <Code label={`${snippet.title}: ${snippet.place}`} text={snippet.text} />
      {application.type === 'CONFIDENTIAL' && <p className="soft">{t('secretInEnvironment')}</p>}
    </Card>
  );
}
