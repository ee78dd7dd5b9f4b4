import { type Problem, problemAt } from '../graph/index.ts';
import { ScopePicker } from '../scopes/index.ts';
import { TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

export interface AccountDraft {
  name: string;
  description: string;
  scopes: readonly string[];
}

/** Fields of a new or existing service account. */
export function AccountFields({
  draft,
  onChange,
  problems,
  scopesHint,
}: {
  draft: AccountDraft;
  onChange(draft: AccountDraft): void;
  problems: readonly Problem[];
  scopesHint: string;
}) {
  const t = useTranslations('serviceAccounts.fields');
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
      <ScopePicker
        label={t('scopes')}
        hint={scopesHint}
        value={draft.scopes}
        onChange={(scopes) => onChange({ ...draft, scopes })}
        problem={problemAt(problems, 'scopes')}
      />
    </>
  );
}
