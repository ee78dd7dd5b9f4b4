import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, failureOf, otherProblem, useChange } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import {
  Action,
  Badge,
  Card,
  Copyable,
  Empty,
  Facts,
  FormDialog,
  Page,
  TextField,
  Time,
} from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AddAttributeDialog, EditSchemaDialog } from './edit-dialogs.tsx';
import {
  DeleteExtensionSchemaDocument,
  ExtensionSchemaDocument,
  UpdateExtensionSchemaDocument,
} from './generated/schemas.ts';
import type { Schema } from './schema.ts';

type Open = 'edit' | 'add' | 'delete';

export function SchemaPage() {
  const t = useTranslations('schemas');
  const words = useTranslations('common');
  const { id } = useParams({ from: '/t/$tenant/schemas/$id' });
  const { data, error, loading, refetch } = useQuery(ExtensionSchemaDocument, { variables: { id } });
  const [open, setOpen] = useState<Open>();
  const schema = data?.schema;
  const failure = error && failureOf(error);
  const close = () => setOpen(undefined);
  if (!schema)
    return (
      <Page title={t('one')}>
        <FailureNote failure={failure} onRetry={() => void refetch()} />
        {!loading && !failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page
      title={schema.name}
      subtitle={schema.description || undefined}
      actions={
        <>
          <Action scopes={['tenants:write']} onPress={() => setOpen('edit')}>
            {t('edit')}
          </Action>
          <Action kind="danger" scopes={['tenants:write']} onPress={() => setOpen('delete')}>
            {words('delete')}
          </Action>
        </>
      }
    >
      <FailureNote failure={failure} onRetry={() => void refetch()} />
      <Facts
        facts={[
          [t('fields.id'), <Copyable key="id" value={schema.id} label={t('fields.id')} />],
          [t('fields.resourceType'), t(`resourceTypes.${schema.resourceType}`)],
          [t('fields.required'), words(schema.required ? 'yes' : 'no')],
          [t('changed'), <Time key="at" at={schema.updatedAt} />],
        ]}
      />
      <Attributes schema={schema} onAdd={() => setOpen('add')} />
      {open === 'edit' && <EditSchemaDialog schema={schema} onClose={close} />}
      {open === 'add' && <AddAttributeDialog schema={schema} onClose={close} />}
      {open === 'delete' && <DeleteDialog schema={schema} onClose={close} />}
    </Page>
  );
}

function Attributes({ schema, onAdd }: { schema: Schema; onAdd(): void }) {
  const t = useTranslations('schemas');
  const change = useChange(UpdateExtensionSchemaDocument);
  const remove = (name: string) =>
    void change.run({ id: schema.id, version: schema.version, removeAttributes: [name] });
  return (
    <Card
      title={t('attributes')}
      actions={
        <Action scopes={['tenants:write']} onPress={onAdd}>
          {t('add')}
        </Action>
      }
    >
      <FailureNote failure={change.failure} />
      {change.problems[0] && (
        <p role="alert" className="problem-text">
          {change.problems[0].message}
        </p>
      )}
      <ul className="rows">
        {schema.attributes.map((attribute) => (
          <li key={attribute.name}>
            <AttributeText attribute={attribute} />
            {schema.attributes.length > 1 && (
              <ConfirmedAction
                scopes={['tenants:write']}
                label={t('remove')}
                about={attribute.name}
                sentence={t('removeSentence', { name: attribute.name })}
                onConfirm={() => remove(attribute.name)}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AttributeText({ attribute }: { attribute: Schema['attributes'][number] }) {
  const t = useTranslations('schemas.attribute');
  const marks = [
    t(`types.${attribute.type}`),
    attribute.multiValued ? t('marks.multiValued') : undefined,
    attribute.required ? t('marks.required') : undefined,
    attribute.uniqueness === 'NONE' ? undefined : t('marks.unique'),
    attribute.caseExact && attribute.type === 'STRING' ? t('marks.caseExact') : undefined,
    attribute.mutability === 'READ_WRITE' ? undefined : t(`mutabilities.${attribute.mutability}`),
    attribute.returned === 'DEFAULT' ? undefined : t(`returneds.${attribute.returned}`),
  ].filter((mark) => mark !== undefined);
  const details = [
    ...attribute.canonicalValues,
    ...attribute.referenceTypes,
    ...attribute.subAttributes.map(({ name }) => name),
  ];
  return (
    <div className="grow">
      <code>{attribute.name}</code>{' '}
      {marks.map((mark) => (
        <Badge key={mark}>{mark}</Badge>
      ))}
      {attribute.description !== '' && <div className="soft">{attribute.description}</div>}
      {details.length > 0 && <div className="soft">{details.join(', ')}</div>}
    </div>
  );
}

function DeleteDialog({ schema, onClose }: { schema: Schema; onClose(): void }) {
  const t = useTranslations('schemas');
  const availability = useTranslations('applications.availability');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const change = useChange(DeleteExtensionSchemaDocument);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = async () => {
    if (typed.trim() !== schema.name.trim()) return setWrong(true);
    if (await change.run({ id: schema.id, version: schema.version }))
      await navigate({ to: '/t/$tenant/schemas', params: { tenant } });
  };
  return (
    <FormDialog
      title={availability('deleteTitle', { name: schema.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={availability('delete')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t('deleteLead')}</p>
      <TextField
        label={availability('typeName', { name: schema.name })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        problem={isWrong ? availability('wrongName') : undefined}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
