import { useState } from 'react';
import { FailureNote, otherProblem, problemAt } from '../graph/index.ts';
import { FormDialog, TextField } from '../ui/index.ts';
import { languages, useTranslations } from '../words/index.ts';
import { type Api, type Entry, type EntryKind, inputOf, isSame, pageLanguages, withEntry } from './api.ts';
import { useApiChange } from './use-api-change.tsx';

/** Adds or edits a scope or a role. Its name cannot be changed: tokens and code of the API contain it. */
export function EntryDialog({
  api,
  kind,
  entry,
  onClose,
}: {
  api: Api;
  kind: EntryKind;
  /** Undefined for a new one. */
  entry: Entry | undefined;
  onClose(): void;
}) {
  const t = useTranslations('apis');
  const words = useTranslations('common');
  const [name, setName] = useState(entry?.name ?? '');
  const [descriptions, setDescriptions] = useState(entry?.descriptions ?? []);
  const next = {
    name: name.trim(),
    descriptions: descriptions.filter(({ text }) => text.trim() !== ''),
  };
  const change = useApiChange(
    api,
    (current) => ({ [kind]: inputOf(withEntry(current[kind], entry?.name, next)) }),
    (base, theirs) => {
      const find = (of: Api) => of[kind].find((one) => one.name === next.name);
      const current = find(theirs);
      if (isSame(find(base), current)) return [];
      const shown = current ? <Described entry={current} /> : t('removed');
      return [{ id: next.name, label: next.name, theirs: shown, yours: <Described entry={next} /> }];
    },
    onClose,
  );
  if (change.conflict) return change.conflict;
  return (
    <FormDialog
      title={entry === undefined ? t(`${kind}.add`) : t(`${kind}.edit`, { name: entry.name })}
      isOpen
      onClose={onClose}
      submit={entry === undefined ? t(`${kind}.add`) : words('save')}
      onSubmit={() => void change.save()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, kind)}
    >
      <TextField
        label={t(`${kind}.name`)}
        hint={t(`${kind}.nameHint`)}
        isRequired
        isDisabled={entry !== undefined}
        autoFocus={entry === undefined}
        value={name}
        onChange={setName}
        problem={problemAt(change.problems, kind)}
      />
      <Descriptions value={descriptions} onChange={setDescriptions} hint={t(`${kind}.descriptionHint`)} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

const Described = ({ entry: { name, descriptions } }: { entry: Entry }) =>
  descriptions.length === 0 ? (
    <code>{name}</code>
  ) : (
    <ul className="plain-list">
      {descriptions.map(({ language, text }) => (
        <li key={language}>
          {languageName(language)}: {text}
        </li>
      ))}
    </ul>
  );

/** A description in each language of the pages; the hint is for English. */
function Descriptions({
  value,
  onChange,
  hint,
}: {
  value: Entry['descriptions'];
  onChange(next: Entry['descriptions']): void;
  hint: string;
}) {
  const t = useTranslations('apis');
  const change = (language: string, text: string) =>
    onChange([...value.filter((one) => one.language !== language), { language, text }]);
  return languagesOf(value).map((language) => (
    <TextField
      key={language}
      label={t('description', { language: languageName(language) })}
      {...(language === 'en' ? { hint } : {})}
      value={value.find((one) => one.language === language)?.text ?? ''}
      onChange={(text) => change(language, text)}
    />
  ));
}

/** Returns the languages of the pages, then others that have a description. */
const languagesOf = (descriptions: Entry['descriptions']): readonly string[] => [
  ...new Set([...pageLanguages, ...descriptions.map(({ language }) => language)]),
];

const languageName = (tag: string): string => (languages as Readonly<Record<string, string>>)[tag] ?? tag;
