import { useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import { FailureNote, otherProblem, type Problem, problemAt, useChange } from '../../graph/index.ts';
import { Action, Button, Card, Copyable, Facts, Note, TextField, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { SaveProfileDocument } from '../generated/user.ts';
import type { Person } from '../person.ts';
import { FieldConflicts } from './field-conflicts.tsx';
import { OtherAttributes } from './other-attributes.tsx';
import {
  changedFields,
  type FieldName,
  fieldNames,
  inputOf,
  isLines,
  type Values,
  valuesOf,
} from './profile-values.ts';

interface Draft {
  /** Values at the start of editing or at the last comparison. */
  base: Values;
  version: number;
  values: Values;
}

/** Profile of a user, with an edit mode. */
export function ProfileTab({ person, refetch }: { person: Person; refetch(): void }) {
  const t = useTranslations('profile');
  const [draft, setDraft] = useState<Draft>();
  const save = useChange(SaveProfileDocument);
  const begin = () => {
    save.reset();
    setDraft({ base: valuesOf(person), version: person.version, values: valuesOf(person) });
  };
  return (
    <div className="profile">
      <Card
        title={t('title')}
        actions={
          draft === undefined && (
            <Action scopes={['users:write']} onPress={begin}>
              {t('edit')}
            </Action>
          )
        }
      >
        {draft ? (
          <ProfileForm
            person={person}
            draft={draft}
            onDraft={setDraft}
            save={save}
            refetch={refetch}
            onClose={() => setDraft(undefined)}
          />
        ) : (
          <ProfileFacts person={person} />
        )}
      </Card>
      <OtherAttributes person={person} />
    </div>
  );
}

function ProfileFacts({ person }: { person: Person }) {
  const t = useTranslations('profile');
  const values = valuesOf(person);
  return (
    <Facts
      facts={[
        ...fieldNames
          .map((name) => [t(`fields.${name}`), <Lines key={name} text={values[name]} />] as const)
          .filter(([, { props }]) => props.text !== ''),
        [t('id'), <Copyable key="id" value={person.id} label={t('id')} />],
        [t('created'), <Time key="created" at={person.createdAt} />],
        [t('updated'), <Time key="updated" at={person.updatedAt} />],
        [t('version'), person.version],
      ]}
    />
  );
}

const Lines = ({ text }: { text: string }) => <span className="lines">{text}</span>;

function ProfileForm({
  person,
  draft,
  onDraft,
  save,
  refetch,
  onClose,
}: {
  person: Person;
  draft: Draft;
  onDraft(draft: Draft): void;
  save: ReturnType<typeof useSave>;
  refetch(): void;
  onClose(): void;
}) {
  // A concurrent change is detected immediately: the current version differs from that of the draft.
  const isBehind = person.version !== draft.version;
  const conflict = useRef<HTMLDivElement>(null);
  const submit = async () => {
    if (changedFields(valuesOf(person), draft.values).length === 0) return onClose();
    const done = await save.run({ id: person.id, version: draft.version, ...inputOf(person, draft.values) });
    if (done) onClose();
    else refetch();
  };
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBehind) conflict.current?.focus();
        else if (!save.isBusy) void submit();
      }}
    >
      {isBehind && (
        <FieldConflicts
          ref={conflict}
          base={draft.base}
          yours={draft.values}
          theirs={valuesOf(person)}
          onResolve={(values) => {
            save.reset();
            onDraft({ base: valuesOf(person), version: person.version, values });
          }}
        />
      )}
      <Fields
        values={draft.values}
        problems={save.problems}
        isDisabled={isBehind}
        onChange={(name, value) => onDraft({ ...draft, values: { ...draft.values, [name]: value } })}
      />
      <Foot save={save} isBehind={isBehind} onClose={onClose} />
    </Form>
  );
}

function Fields({
  values,
  problems,
  isDisabled,
  onChange,
}: {
  values: Values;
  problems: readonly Problem[];
  isDisabled: boolean;
  onChange(name: FieldName, value: string): void;
}) {
  const t = useTranslations('profile');
  return (
    <div className="form-grid">
      {fieldNames.map((name) => (
        <TextField
          key={name}
          label={t(`fields.${name}`)}
          value={values[name]}
          onChange={(value) => onChange(name, value)}
          problem={problemAt(problems, name)}
          isRequired={name === 'userName'}
          isDisabled={isDisabled}
          {...(isLines(name) ? { rows: 2, hint: t('linesHint') } : {})}
        />
      ))}
    </div>
  );
}

const useSave = () => useChange(SaveProfileDocument);

/** Problems of the form, and its actions. */
function Foot({
  save,
  isBehind,
  onClose,
}: {
  save: ReturnType<typeof useSave>;
  isBehind: boolean;
  onClose(): void;
}) {
  const words = useTranslations('common');
  const others = save.problems.filter(({ code }) => code !== 'VERSION_CONFLICT');
  const problem = otherProblem(others, ...fieldNames);
  return (
    <>
      <FailureNote failure={save.failure} />
      {problem !== undefined && !isBehind && <Note tone="bad">{problem}</Note>}
      <div className="actions">
        <Button onPress={onClose}>{words('cancel')}</Button>
        <Button type="submit" kind="primary" isPending={save.isBusy}>
          {words('save')}
        </Button>
      </div>
    </>
  );
}
