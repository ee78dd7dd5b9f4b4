import { type Problem, problemAt } from '../graph/index.ts';
import { Checkbox, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

export interface SchemaDraft {
  name: string;
  description: string;
  required: boolean;
}

/** Name and description of a schema, and whether it is required. */
export function SchemaFields({
  draft,
  onChange,
  problems,
}: {
  draft: SchemaDraft;
  onChange(draft: SchemaDraft): void;
  problems: readonly Problem[];
}) {
  const t = useTranslations('schemas.fields');
  return (
    <>
      <TextField
        label={t('name')}
        isRequired
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        problem={problemAt(problems, 'name')}
      />
      <TextField
        label={t('description')}
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
        problem={problemAt(problems, 'description')}
      />
      <Checkbox isSelected={draft.required} onChange={(required) => onChange({ ...draft, required })}>
        {t('required')}
      </Checkbox>
    </>
  );
}
