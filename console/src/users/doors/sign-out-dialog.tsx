import { FailureNote, useChange } from '../../graph/index.ts';
import { FormDialog } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { nameOf, type Person } from '../person.ts';
import { SignOutEverywhereDocument } from './generated/doors.ts';
import { useAccessPathsAgain } from './use-doors-again.ts';

/** Revokes everything that was issued to a user, who stays active. */
export function SignOutDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const t = useTranslations('doors.signOut');
  const change = useChange(SignOutEverywhereDocument);
  const again = useAccessPathsAgain();
  const submit = async () => {
    if (!(await change.run({ userId: person.id }))) return;
    again();
    onClose();
  };
  return (
    <FormDialog
      title={t('title', { name: nameOf(person) })}
      isOpen
      isAlert
      onClose={onClose}
      submit={t('submit')}
      kind="danger"
      isBusy={change.isBusy}
      onSubmit={() => void submit()}
      problem={change.problems[0]?.message}
    >
      <p>{t('lead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
