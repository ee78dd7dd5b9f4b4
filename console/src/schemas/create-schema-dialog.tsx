import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { FormDialog, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AttributeForm, attributeInput, emptyAttribute } from './attribute-form.tsx';
import { CreateExtensionSchemaDocument } from './generated/schemas.ts';
import { type SchemaDraft, SchemaFields } from './schema-fields.tsx';

/** Creates a schema with its first attribute; others are added on its page. */
export function CreateSchemaDialog({ onClose, onDone }: { onClose(): void; onDone(id: string): void }) {
  const t = useTranslations('schemas');
  const { cache } = useApolloClient();
  const change = useChange(CreateExtensionSchemaDocument);
  const [id, setId] = useState('');
  const [draft, setDraft] = useState<SchemaDraft>({ name: '', description: '', required: false });
  const [resourceType, setResourceType] = useState<'USER' | 'GROUP'>('USER');
  const [attribute, setAttribute] = useState(emptyAttribute);
  const submit = async () => {
    const description = draft.description.trim();
    const done = await change.run({
      id: id.trim(),
      name: draft.name.trim(),
      resourceType,
      required: draft.required,
      attributes: [attributeInput(attribute)],
      ...(description === '' ? {} : { description }),
    });
    const made = done?.createSchema?.schema?.id;
    if (made === undefined) return;
    cache.evict({ fieldName: 'schemas' });
    onDone(made);
  };
  // The attribute has members with the same names.
  const ofSchema = change.problems.filter(({ path }) => !path?.includes('attributes'));
  const ofAttribute = change.problems.filter(({ path }) => path?.includes('attributes'));
  return (
    <FormDialog
      title={t('create')}
      size="wide"
      isOpen
      onClose={onClose}
      submit={t('create')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(ofSchema, 'id', 'name', 'description') ?? ofAttribute[0]?.message}
    >
      <TextField
        label={t('fields.id')}
        hint={t('hints.id')}
        isRequired
        autoFocus
        value={id}
        onChange={setId}
        placeholder="urn:example:hr:2.0:User"
        problem={problemAt(ofSchema, 'id')}
      />
      <Select
        label={t('fields.resourceType')}
        options={(['USER', 'GROUP'] as const).map((key) => ({ id: key, label: t(`resourceTypes.${key}`) }))}
        value={resourceType}
        onChange={(key) => setResourceType(key as typeof resourceType)}
      />
      <SchemaFields draft={draft} onChange={setDraft} problems={ofSchema} />
      <h3>{t('firstAttribute')}</h3>
      <AttributeForm value={attribute} onChange={setAttribute} problem={(at) => problemAt(ofAttribute, at)} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
