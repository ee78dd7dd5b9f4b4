import { FailureNote, problemText, useChange } from '../../graph/index.ts';
import { FormDialog } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { nameOf, type Person } from '../person.ts';
import { DeletePersonDocument } from './generated/departure.ts';

/** Deletes a user, and closes all access paths. */
export function DeleteDialog({
  person,
  onClose,
  onDone,
}: {
  person: Person;
  onClose(): void;
  onDone(): void;
}) {
  const t = useTranslations('departure.delete');
  const failures = useTranslations('failures');
  const change = useChange(DeletePersonDocument);
  const submit = async () => {
    if (await change.run({ id: person.id, version: person.version })) onDone();
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
      problem={problemText(change.problems, failures('conflict'))}
    >
      <p>{t('lead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
