import { useState } from 'react';
import { FailureNote } from '../graph/index.ts';
import { Combo } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ApiRoleChoiceDocument, type ApiRoleChoiceQuery } from './generated/roles.ts';
import { useAllPages } from './use-all-pages.ts';

export interface ChosenRole {
  apiId: string;
  role: string;
}

const maxShown = 50;
const apisOf = (data: ApiRoleChoiceQuery) => data.apis;

/** Finds a role of an API by a part of its name or of the name of the API. */
export function RoleChoice({
  onChoose,
  isMissing,
}: {
  onChoose(chosen: ChosenRole | undefined): void;
  /** Whether the form was submitted without a choice. */
  isMissing: boolean;
}) {
  const t = useTranslations('apis.assigned');
  const [text, setText] = useState('');
  const { items, isComplete, failure } = useAllPages(ApiRoleChoiceDocument, apisOf);
  const roles = items.flatMap(({ id: apiId, name, roles: own }) =>
    own.map(({ name: role }) => ({ id: JSON.stringify([apiId, role]), label: `${role} – ${name}` })),
  );
  if (failure) return <FailureNote failure={failure} />;
  if (isComplete && roles.length === 0) return <p className="soft">{t('noRoles')}</p>;
  const search = text.trim().toLowerCase();
  return (
    <Combo
      label={t('role')}
      hint={t('roleHint')}
      isRequired
      autoFocus
      problem={isMissing ? t('notChosen') : undefined}
      items={roles.filter(({ label }) => label.toLowerCase().includes(search)).slice(0, maxShown)}
      text={text}
      onText={(next) => {
        setText(next);
        // An edited text invalidates the former choice.
        if (!roles.some(({ label }) => label === next)) onChoose(undefined);
      }}
      onChoose={(found) => {
        if (!found) return onChoose(undefined);
        const [apiId, role] = JSON.parse(found.id) as [string, string];
        setText(found.label);
        onChoose({ apiId, role });
      }}
    />
  );
}
