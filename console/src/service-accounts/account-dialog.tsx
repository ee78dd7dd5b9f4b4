import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { OwnerPicker } from '../owners/index.ts';
import { FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type AccountDraft, AccountFields } from './account-fields.tsx';
import { CreateServiceAccountDocument } from './generated/service-accounts.ts';

export function AccountDialog({ onClose, onDone }: { onClose(): void; onDone(id: string): void }) {
  const t = useTranslations('serviceAccounts');
  const owners = useTranslations('owners');
  const { cache } = useApolloClient();
  const change = useChange(CreateServiceAccountDocument);
  const [draft, setDraft] = useState<AccountDraft>({ name: '', description: '', scopes: [] });
  const [ownerId, setOwnerId] = useState<string>();
  const submit = async () => {
    const description = draft.description.trim();
    const done = await change.run({
      name: draft.name.trim(),
      scopes: [...draft.scopes],
      ...(description === '' ? {} : { description }),
      ...(ownerId === undefined ? {} : { ownerId }),
    });
    const id = done?.createServiceAccount?.serviceAccount?.id;
    if (id === undefined) return;
    cache.evict({ fieldName: 'serviceAccounts' });
    onDone(id);
  };
  return (
    <FormDialog
      title={t('create')}
      size="wide"
      isOpen
      onClose={onClose}
      submit={t('create')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'description', 'scopes')}
    >
      <AccountFields
        draft={draft}
        onChange={setDraft}
        problems={change.problems}
        scopesHint={t('fields.scopesHint')}
      />
      <OwnerPicker label={owners('owner')} hint={owners('ownerHint')} onChoose={setOwnerId} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
