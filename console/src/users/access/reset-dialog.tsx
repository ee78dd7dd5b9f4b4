import { useState } from 'react';
import { FailureNote, useChange } from '../../graph/index.ts';
import { Checkbox, FormDialog } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { nameOf, type Person } from '../person.ts';
import { ResetAccessDocument } from './generated/access.ts';

/** Creates a link with which a user replaces all credentials. */
export function ResetDialog({
  person,
  onClose,
  onLink,
}: {
  person: Person;
  onClose(): void;
  onLink(url: string, expiresAt: string | null): void;
}) {
  const t = useTranslations('access.reset');
  const [compromised, setCompromised] = useState(false);
  const reset = useChange(ResetAccessDocument);
  const submit = async () => {
    const answer = (await reset.run({ userId: person.id, compromised }))?.resetUserAccess;
    if (!answer?.url) return;
    onClose();
    onLink(answer.url, answer.expiresAt);
  };
  return (
    <FormDialog
      title={t('title', { name: nameOf(person) })}
      isOpen
      onClose={onClose}
      submit={t('submit')}
      isBusy={reset.isBusy}
      onSubmit={() => void submit()}
      problem={reset.problems[0]?.message}
      {...(compromised ? { kind: 'danger' } : {})}
    >
      <p>{t('lead')}</p>
      <Checkbox isSelected={compromised} onChange={setCompromised}>
        {t('compromised')}
      </Checkbox>
      <p className="soft">{compromised ? t('compromisedHint') : t('keepsHint')}</p>
      <FailureNote failure={reset.failure} />
    </FormDialog>
  );
}
