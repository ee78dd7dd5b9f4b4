import { useState } from 'react';
import { useSession } from '../session/index.ts';
import { Card, Code, Copyable, Facts, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
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
        <p className="soft">{t('credentials')}</p>
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
