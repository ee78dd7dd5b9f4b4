import { useState } from 'react';
import { FailureNote, otherProblem, useChange, useTheirs } from '../graph/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { Conflict, type Difference, FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Account } from './account.ts';
import { type AccountDraft, AccountFields } from './account-fields.tsx';
import { ServiceAccountDocument, UpdateServiceAccountDocument } from './generated/service-accounts.ts';

/** Edits the settings of a service account, based on the version at the time of opening. */
export function EditAccountDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const t = useTranslations('serviceAccounts');
  const words = useTranslations('common');
  const [base] = useState(account);
  const [draft, setDraft] = useState<AccountDraft>({
    name: account.name,
    description: account.description ?? '',
    scopes: account.scopes,
  });
  const change = useChange(UpdateServiceAccountDocument);
  const theirs = useTheirs(
    change.problems,
    ServiceAccountDocument,
    { id: base.id },
    (data) => data.serviceAccount,
  );
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
      size="wide"
      isOpen
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void save(base.version)}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'description', 'scopes')}
    >
      <AccountFields
        draft={draft}
        onChange={setDraft}
        problems={change.problems}
        scopesHint={t('fields.scopesEditHint')}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

const sorted = (scopes: readonly string[]): string => [...scopes].sort().join(' ');

function changesOf(draft: AccountDraft, base: Account) {
  const name = draft.name.trim();
  const description = draft.description.trim();
  return {
    ...(name === base.name ? {} : { name }),
    ...(description === (base.description ?? '') ? {} : { description: description || null }),
    ...(sorted(draft.scopes) === sorted(base.scopes) ? {} : { scopes: [...draft.scopes] }),
  };
}

function useDifferences(theirs: Account | undefined, draft: AccountDraft): Difference[] {
  const t = useTranslations('serviceAccounts.fields');
  const words = useTranslations('common');
  if (!theirs) return [];
  return [
    { id: 'name', label: t('name'), theirs: theirs.name, yours: draft.name },
    {
      id: 'description',
      label: t('description'),
      theirs: theirs.description ?? words('none'),
      yours: draft.description || words('none'),
    },
    {
      id: 'scopes',
      label: t('scopes'),
      theirs: <ScopeList scopes={theirs.scopes} />,
      yours: <ScopeList scopes={draft.scopes} />,
    },
  ];
}
