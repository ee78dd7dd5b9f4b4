import { useNavigate } from '@tanstack/react-router';
import { FailureNote, problemText, useChange } from '../graph/index.ts';
import { FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DropGroupDocument } from './generated/group.ts';
import type { Group } from './group.ts';

export function DeleteGroupDialog({
  group,
  size,
  onClose,
}: {
  group: Group;
  size: number | undefined;
  onClose(): void;
}) {
  const t = useTranslations('groups.delete');
  const failures = useTranslations('failures');
  const drop = useChange(DropGroupDocument);
  const navigate = useNavigate({ from: '/t/$tenant/groups/$id' });
  const submit = async () => {
    if (await drop.run({ id: group.id, version: group.version })) void navigate({ to: '/t/$tenant/groups' });
  };
  return (
    <FormDialog
      title={t('title', { name: group.displayName })}
      isOpen
      isAlert
      onClose={onClose}
      submit={t('open')}
      kind="danger"
      isBusy={drop.isBusy}
      onSubmit={() => void submit()}
      problem={problemText(drop.problems, failures('conflict'))}
    >
      <p>{t('lead', { count: size ?? 0 })}</p>
      <FailureNote failure={drop.failure} />
    </FormDialog>
  );
}
