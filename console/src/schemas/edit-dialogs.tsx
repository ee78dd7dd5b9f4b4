import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange, useTheirs } from '../graph/index.ts';
import { Conflict, type Difference, FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AttributeForm, attributeInput, emptyAttribute } from './attribute-form.tsx';
import { ExtensionSchemaDocument, UpdateExtensionSchemaDocument } from './generated/schemas.ts';
import type { Schema } from './schema.ts';
import { type SchemaDraft, SchemaFields } from './schema-fields.tsx';

interface DialogProps {
  schema: Schema;
  onClose(): void;
}

/** Adds an attribute; a concurrent change is no conflict, unless it adds the same name. */
export function AddAttributeDialog({ schema, onClose }: DialogProps) {
  const t = useTranslations('schemas');
  const [base] = useState(schema);
  const [attribute, setAttribute] = useState(emptyAttribute);
  const change = useChange(UpdateExtensionSchemaDocument);
  const theirs = useTheirs(change.problems, ExtensionSchemaDocument, { id: base.id }, (data) => data.schema);
  const save = async (version: number) => {
    if (await change.run({ id: base.id, version, setAttributes: [attributeInput(attribute)] })) onClose();
  };
  if (theirs)
    return (
      <Conflict
        differences={[
          {
            id: 'attributes',
            label: t('attributes'),
            theirs: theirs.attributes.map(({ name }) => name).join(', '),
            yours: `+ ${attribute.name}`,
          },
        ]}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => void save(theirs.version)}
      />
    );
  return (
    <FormDialog
      title={t('add')}
      size="wide"
      isOpen
      onClose={onClose}
      submit={t('add')}
      onSubmit={() => void save(base.version)}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'description', 'canonicalValues', 'subAttributes')}
    >
      <AttributeForm
        value={attribute}
        onChange={setAttribute}
        problem={(at) => problemAt(change.problems, at)}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Changes the name and the description of a schema, and whether it is required. */
export function EditSchemaDialog({ schema, onClose }: DialogProps) {
  const t = useTranslations('schemas');
  const words = useTranslations('common');
  const [base] = useState(schema);
  const [draft, setDraft] = useState<SchemaDraft>(schema);
  const change = useChange(UpdateExtensionSchemaDocument);
  const theirs = useTheirs(change.problems, ExtensionSchemaDocument, { id: base.id }, (data) => data.schema);
  const changes = changesOf(draft, base);
  const differences = useDifferences(theirs, draft).filter(({ id }) => id in changes);
  const save = async (version: number) => {
    if (Object.keys(changes).length === 0) return onClose();
    if (await change.run({ ...changes, id: base.id, version })) onClose();
  };
  if (theirs)
    return (
      <Conflict
        differences={differences}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => void save(theirs.version)}
      />
    );
  return (
    <FormDialog
      title={t('editTitle', { name: base.name })}
      isOpen
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void save(base.version)}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'description')}
    >
      <SchemaFields draft={draft} onChange={setDraft} problems={change.problems} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

const changesOf = ({ name, description, required }: SchemaDraft, base: Schema) => ({
  ...(name.trim() === base.name ? {} : { name: name.trim() }),
  ...(description.trim() === base.description ? {} : { description: description.trim() }),
  ...(required === base.required ? {} : { required }),
});

function useDifferences(theirs: Schema | undefined, draft: SchemaDraft): Difference[] {
  const t = useTranslations('schemas.fields');
  const words = useTranslations('common');
  if (!theirs) return [];
  const yesNo = (is: boolean) => words(is ? 'yes' : 'no');
  return [
    { id: 'name', label: t('name'), theirs: theirs.name, yours: draft.name },
    { id: 'description', label: t('description'), theirs: theirs.description, yours: draft.description },
    { id: 'required', label: t('required'), theirs: yesNo(theirs.required), yours: yesNo(draft.required) },
  ];
}
