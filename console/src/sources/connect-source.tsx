import { useQuery } from '@apollo/client/react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, ButtonLink, Card, Code, Copyable, Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { SourceByIdDocument } from './generated/sources.ts';
import { Arrivals } from './requests/arrivals.tsx';
import { useScimAddress } from './scim-address.ts';
import type { SourceKind } from './search.ts';
import { Rotate } from './source-connection.tsx';

const steps = ['open', 'paste', 'test', 'scope', 'start'] as const;

/** Values to enter at the identity source, and the requests that arrive from it. */
export function ConnectSource({
  kind,
  source,
  token,
}: {
  kind: SourceKind;
  source: string;
  token: string | undefined;
}) {
  const t = useTranslations('sources.wizard');
  const { tenant } = useParams({ from: '/t/$tenant' });
  return (
    <>
      <Values kind={kind} source={source} token={token} />
      <Card title={t('do', { kind: t(`kinds.${kind}.name`) })}>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{t(`connect.${kind}.${step}`)}</li>
          ))}
        </ol>
        {kind === 'scim' && <TryIt token={token} />}
      </Card>
      <Arrivals source={source} />
      <div className="actions">
        <ButtonLink kind="primary" href={`/t/${tenant}/sources/${source}`}>
          {t('done')}
        </ButtonLink>
      </div>
    </>
  );
}

function Values({ kind, source, token }: { kind: SourceKind; source: string; token: string | undefined }) {
  const t = useTranslations('sources.wizard');
  const address = useScimAddress();
  const [isRotating, setRotating] = useState(false);
  const { data } = useQuery(SourceByIdDocument, { variables: { id: source }, skip: !isRotating });
  return (
    <Card title={t('values')}>
      <div className="field">
        <span className="label">{t(`kinds.${kind}.address`)}</span>
        <Copyable value={address} label={t(`kinds.${kind}.address`)} />
      </div>
      <div className="field">
        <span className="label">{t(`kinds.${kind}.token`)}</span>
        {token === undefined ? (
          <Note tone="warn" action={<Button onPress={() => setRotating(true)}>{t('rotate')}</Button>}>
            {t('tokenGone')}
          </Note>
        ) : (
          <>
            <Copyable value={token} label={t(`kinds.${kind}.token`)} />
            <Note tone="warn">{t('tokenOnce')}</Note>
          </>
        )}
      </div>
      {isRotating && data?.connector && <Rotate source={data.connector} onClose={() => setRotating(false)} />}
    </Card>
  );
}

/** Example of a request for testing before the source is configured. */
function TryIt({ token }: { token: string | undefined }) {
  const t = useTranslations('sources.wizard');
  const address = useScimAddress();
  return (
    <Code
      label={t('try')}
      text={`curl -X POST '${address}/Users' \\
  -H 'Authorization: Bearer ${token === undefined ? '…' : token}' \\
  -H 'Content-Type: application/scim+json' \\
  -d '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ada@example.com","active":true,
       "name":{"givenName":"Ada","familyName":"Lovelace"}}'`}
    />
  );
}
