import { X } from 'lucide-react';
import { useState } from 'react';
import { FailureNote, useChange } from '../graph/index.ts';
import { Button, FormDialog, type Found } from '../ui/index.ts';
import { GroupPicker, UserPicker } from '../users/parts.ts';
import { useTranslations } from '../words/index.ts';
import { AddMembersDocument } from './generated/group.ts';
import type { Group } from './group.ts';

/** Adds users and groups, with their members, to a group. */
export function AddMembersDialog({
  group,
  onClose,
  onDone,
}: {
  group: Group;
  onClose(): void;
  onDone(): void;
}) {
  const t = useTranslations('groups.members');
  const add = useChange(AddMembersDocument);
  const [chosen, setChosen] = useState<readonly Found[]>([]);
  const choose = (found: Found | undefined) => {
    if (found) setChosen((before) => [...before.filter(({ id }) => id !== found.id), found]);
  };
  const submit = async () => {
    if (chosen.length === 0) return;
    if (!(await add.run({ groupId: group.id, memberIds: chosen.map(({ id }) => id) }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t('addTitle', { name: group.displayName })}
      isOpen
      onClose={onClose}
      submit={t('addSubmit', { count: chosen.length })}
      isBusy={add.isBusy}
      onSubmit={() => void submit()}
      problem={add.problems[0]?.message}
    >
      {/* A new field after each choice, so that the next name can be typed immediately. */}
      <UserPicker key={`person-${chosen.length}`} label={t('findPerson')} onChoose={choose} autoFocus />
      <GroupPicker key={`group-${chosen.length}`} label={t('findGroup')} onChoose={choose} />
      {chosen.length > 0 && (
        <ul className="rows" aria-label={t('chosen')}>
          {chosen.map(({ id, label, detail }) => (
            <li key={id}>
              <span className="grow">
                {label} {detail !== undefined && <span className="soft">{detail}</span>}
              </span>
              <Button
                kind="plain"
                aria-label={t('leaveOut', { name: label })}
                onPress={() => setChosen(chosen.filter((one) => one.id !== id))}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FailureNote failure={add.failure} />
    </FormDialog>
  );
}
