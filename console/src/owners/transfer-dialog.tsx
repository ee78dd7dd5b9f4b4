import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { TransferCredentialDocument } from './generated/owners.ts';
import { OwnerPicker } from './owner-picker.tsx';

export interface Owned {
  kind: 'CLIENT' | 'SERVICE_ACCOUNT' | 'API_KEY';
  id: string;
  name: string;
  /** API keys have no version. */
  version?: number;
}

/** Transfers a client, service account or API key to another owner. */
export function TransferDialog({ owned, onClose }: { owned: Owned; onClose(): void }) {
  const t = useTranslations('owners');
  const [ownerId, setOwnerId] = useState<string>();
  const change = useChange(TransferCredentialDocument);
  const { kind, id, version } = owned;
  const submit = async () => {
    if (ownerId === undefined) return;
    const done = await change.run({ kind, id, ownerId, ...(version === undefined ? {} : { version }) });
    if (done) onClose();
  };
  return (
    <FormDialog
      title={t('transferTitle', { name: owned.name })}
      isOpen
      onClose={onClose}
      submit={t('transfer')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'ownerId')}
    >
      <p>{t('transferLead')}</p>
      <OwnerPicker
        label={t('newOwner')}
        hint={t('newOwnerHint')}
        problem={problemAt(change.problems, 'ownerId')}
        isRequired
        autoFocus
        onChoose={setOwnerId}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
