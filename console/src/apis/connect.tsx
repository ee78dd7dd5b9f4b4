import { useState } from 'react';
import { FailureNote, useChange } from '../graph/index.ts';
import { useSession } from '../session/index.ts';
import {
  Action,
  Card,
  Code,
  Copyable,
  type Credential,
  Facts,
  Note,
  Select,
  ShownOnce,
} from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { RegisterVerifierDocument } from './generated/apis.ts';
import { protections } from './protections.ts';

/** Values and programs with which the API verifies its tokens. */
export function Connect({ api }: { api: Api }) {
  const t = useTranslations('apis.connect');
  const { configuration, tenant } = useSession();
  const issuer = configuration.issuerBase + tenant;
  const offered = protections({ issuer, audience: api.identifier, scope: api.scopes[0]?.name });
  const [chosen, setChosen] = useState(offered[0]?.id);
  const shown = offered.find(({ id }) => id === chosen) ?? offered[0];
  return (
    <>
      <Card title={t('values')}>
        <p className="soft">{t('valuesLead')}</p>
        <Facts
          facts={[
            [t('issuer'), <Copyable key="issuer" value={issuer} label={t('issuer')} />],
            [t('audience'), <Copyable key="audience" value={api.identifier} label={t('audience')} />],
            [t('feed'), <Copyable key="feed" value={`${issuer}/revocations`} label={t('feed')} />],
          ]}
        />
        <Credentials api={api} />
      </Card>
      <Card title={t('programs')}>
        <Select
          label={t('framework')}
          options={offered.map(({ id, title }) => ({ id, label: title }))}
          value={shown?.id ?? null}
          onChange={(key) => setChosen(String(key))}
        />
        {shown && <Code label={shown.title} text={shown.text} />}
      </Card>
    </>
  );
}

const maxNameLength = 200;

/** Registers the client with which the API introspects tokens and follows the revocation feed. */
function Credentials({ api }: { api: Api }) {
  const t = useTranslations('apis.connect');
  const words = useTranslations('applications');
  const change = useChange(RegisterVerifierDocument);
  const [shown, setShown] = useState<Credential[]>();
  const [isLost, setLost] = useState(false);
  const create = async () => {
    const done = await change.run({
      kind: 'MACHINE',
      name: t('verifierName', { name: api.name }).slice(0, maxNameLength),
      protectedResources: [api.identifier],
    });
    const { client, clientSecret } = done?.registerClient ?? {};
    if (!client) return;
    // A repeated request after a lost response returns no secret.
    setLost(!clientSecret);
    if (!clientSecret) return;
    setShown([
      { label: words('clientId'), value: client.id },
      { label: words('secret.label'), value: clientSecret },
    ]);
  };
  return (
    <>
      <p className="soft">{t('credentials')}</p>
      <Action scopes={['clients:write']} onPress={() => void create()} isPending={change.isBusy}>
        {t('createCredentials')}
      </Action>
      <FailureNote failure={change.failure} />
      {isLost && <Note tone="warn">{t('secretLost')}</Note>}
      {change.problems[0] && <Note tone="bad">{change.problems[0].message}</Note>}
      {shown && (
        <ShownOnce title={t('credentialsShown')} credentials={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}
