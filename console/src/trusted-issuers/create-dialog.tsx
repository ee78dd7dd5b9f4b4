import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { CheckboxGroup, FieldError, Label, Text } from 'react-aria-components';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { apiScopes, personalScopes, ScopePicker } from '../scopes/index.ts';
import { Checkbox, FormDialog, Note, TextField, validityOf } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AssertionClientsDocument, CreateTrustedIssuerDocument } from './generated/trusted-issuers.ts';

const scopesOffered = [...personalScopes.filter((scope) => !scope.startsWith('self:')), ...apiScopes];
const fields = ['name', 'issuer', 'jwksUri', 'jwks', 'clientIds', 'scopes'] as const;

/** Trusts an issuer for selected clients and scopes. */
export function CreateDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const t = useTranslations('trustedIssuers');
  const change = useChange(CreateTrustedIssuerDocument);
  const [texts, setTexts] = useState({ name: '', issuer: '', jwksUri: '', jwks: '' });
  const [clientIds, setClientIds] = useState<string[]>([]);
  const [scopes, setScopes] = useState<readonly string[]>(['openid']);
  const submit = async () => {
    const { name, issuer, jwksUri, jwks } = texts;
    const done = await change.run({
      name: name.trim(),
      issuer: issuer.trim(),
      clientIds,
      scopes: [...scopes],
      ...(jwksUri.trim() === '' ? {} : { jwksUri: jwksUri.trim() }),
      ...(jwks.trim() === '' ? {} : { jwks: jwks.trim() }),
    });
    if (!done) return;
    onClose();
    onDone();
  };
  const field = (name: keyof typeof texts, isRequired: boolean) => (
    <TextField
      label={t(`fields.${name}`)}
      hint={t(`hints.${name}`)}
      isRequired={isRequired}
      {...(name === 'jwks' ? { rows: 4 } : {})}
      value={texts[name]}
      onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
      problem={problemAt(change.problems, name)}
    />
  );
  return (
    <FormDialog
      title={t('create')}
      size="wide"
      isOpen
      onClose={onClose}
      submit={t('create')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, ...fields)}
    >
      <Note tone="warn">{t('warning')}</Note>
      {field('name', true)}
      {field('issuer', true)}
      {field('jwksUri', texts.jwks === '')}
      {field('jwks', false)}
      <Clients value={clientIds} onChange={setClientIds} problem={problemAt(change.problems, 'clientIds')} />
      <ScopePicker
        label={t('fields.scopes')}
        hint={t('hints.scopes')}
        offered={scopesOffered}
        value={scopes}
        onChange={setScopes}
        problem={problemAt(change.problems, 'scopes')}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Chooses clients that have the required grant; others cannot present assertions. */
function Clients({
  value,
  onChange,
  problem,
}: {
  value: string[];
  onChange(ids: string[]): void;
  problem: string | undefined;
}) {
  const t = useTranslations('trustedIssuers');
  const { data } = useQuery(AssertionClientsDocument);
  const clients = (data?.clients?.edges ?? []).flatMap(({ node }) => (node ? [node] : []));
  return (
    <CheckboxGroup className="field" value={value} onChange={onChange} isRequired {...validityOf(problem)}>
      <Label>{t('fields.clientIds')}</Label>
      <Text slot="description" className="hint">
        {data && clients.length === 0 ? t('noClients') : t('hints.clientIds')}
      </Text>
      {clients.map(({ id, name }) => (
        <Checkbox key={id} value={id}>
          {name}
        </Checkbox>
      ))}
      <FieldError className="problem">{problem}</FieldError>
    </CheckboxGroup>
  );
}
