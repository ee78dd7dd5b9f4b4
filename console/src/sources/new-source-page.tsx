import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { Action, Card, Note, Page } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ConnectSource } from './connect-source.tsx';
import { type ConnectorProfile, CreateSourceDocument } from './generated/sources.ts';
import { type SourceKind, sourceKinds } from './search.ts';
import { SourceFields } from './source-fields.tsx';
import { inputOf, newValues } from './source-values.ts';
import './sources.css';

const profileOf: Readonly<Record<SourceKind, ConnectorProfile>> = {
  entra: 'ENTRA',
  okta: 'OKTA',
  onelogin: 'ONELOGIN',
  scim: 'AUTO',
};

/** Wizard for a new identity source, up to the first provisioned user. */
export function NewSourcePage() {
  const t = useTranslations('sources.wizard');
  const { kind, source } = useSearch({ from: '/t/$tenant/sources/new' });
  const navigate = useNavigate({ from: '/t/$tenant/sources/new' });
  const [token, setToken] = useState<string>();
  if (source)
    return (
      <Page
        title={t('connectTitle', { kind: t(`kinds.${kind ?? 'scim'}.name`) })}
        subtitle={t('step', { step: 3 })}
      >
        <ConnectSource kind={kind ?? 'scim'} source={source} token={token} />
      </Page>
    );
  return (
    <Page title={t('title')} subtitle={t('step', { step: kind === undefined ? 1 : 2 })}>
      <KindChoice
        kind={kind}
        onChange={(next) => void navigate({ search: { kind: next }, replace: kind !== undefined })}
      />
      {kind && (
        <CreateSource
          key={kind}
          kind={kind}
          onCreated={(id, made) => {
            setToken(made);
            void navigate({ search: { kind, source: id }, replace: true });
          }}
        />
      )}
    </Page>
  );
}

function KindChoice({ kind, onChange }: { kind: SourceKind | undefined; onChange(kind: SourceKind): void }) {
  const t = useTranslations('sources.wizard');
  return (
    <RadioGroup
      className="kinds"
      aria-label={t('which')}
      value={kind ?? null}
      onChange={(value) => {
        const next = sourceKinds.find((one) => one === value);
        if (next) onChange(next);
      }}
    >
      {sourceKinds.map((one) => (
        <Radio key={one} value={one} className="kind">
          <strong>{t(`kinds.${one}.name`)}</strong>
          <span className="soft">{t(`kinds.${one}.hint`)}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

function CreateSource({
  kind,
  onCreated,
}: {
  kind: SourceKind;
  onCreated(id: string, token: string | undefined): void;
}) {
  const t = useTranslations('sources.wizard');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const create = useChange(CreateSourceDocument, (cache) => {
    cache.evict({ id: 'ROOT_QUERY', fieldName: 'connectors' });
  });
  const [values, setValues] = useState(() => ({
    ...newValues,
    name: kind === 'scim' ? '' : t(`kinds.${kind}.name`),
  }));
  const submit = async () => {
    const done = await create.run({ ...inputOf(values), profile: profileOf[kind] });
    const payload = done?.createConnector;
    if (payload?.connector) onCreated(payload.connector.id, payload.token ?? undefined);
  };
  const problem = otherProblem(create.problems, 'name', 'resourceTypes');
  return (
    <Card title={t('rights')}>
      <form
        className="wizard-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isBusy) void submit();
        }}
      >
        <SourceFields values={values} onChange={setValues} problems={create.problems} />
        <p className="soft">{t('later')}</p>
        {problem !== undefined && <Note tone="bad">{problem}</Note>}
        <FailureNote failure={create.failure} />
        <div className="actions">
          <Action scopes={['connectors:write']} type="submit" kind="primary" isPending={create.isBusy}>
            {t('create', { tenant })}
          </Action>
        </div>
      </form>
    </Card>
  );
}
