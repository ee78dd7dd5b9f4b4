import { FailureNote, useChange } from '../../graph/index.ts';
import { FormDialog } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { nameOf, type Person } from '../person.ts';
import { InvitePersonDocument } from './generated/access.ts';

/** Creates a link with which a user sets the first password or passkey. */
export function InviteDialog({
  person,
  onClose,
  onLink,
}: {
  person: Pick<Person, 'id' | 'displayName' | 'userName'>;
  onClose(): void;
  onLink(url: string, expiresAt: string | null): void;
}) {
  const t = useTranslations('access.invite');
  const invite = useChange(InvitePersonDocument);
  const submit = async () => {
    const answer = (await invite.run({ userId: person.id }))?.inviteUser;
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
      isBusy={invite.isBusy}
      onSubmit={() => void submit()}
      problem={invite.problems[0]?.message}
    >
      <p>{t('lead')}</p>
      <FailureNote failure={invite.failure} />
    </FormDialog>
  );
}
