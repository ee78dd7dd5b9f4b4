import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { Conflict, FormDialog, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RenameGroupDocument } from './generated/group.ts';
import type { Group } from './group.ts';

/** Renames a group, based on the version that was read; a concurrent change is shown as a conflict. */
export function RenameDialog({
  group,
  refetch,
  onClose,
}: {
  group: Group;
  refetch(): void;
  onClose(): void;
}) {
  const t = useTranslations('groups.rename');
  const [displayName, setDisplayName] = useState(group.displayName);
  const [version, setVersion] = useState(group.version);
  const rename = useChange(RenameGroupDocument);
  const submit = async (based: number) => {
    const done = await rename.run({ id: group.id, displayName: displayName.trim(), version: based });
    if (done) onClose();
    else refetch();
  };
  const isConflict = rename.problems.some(({ code }) => code === 'VERSION_CONFLICT');
  if (isConflict)
    return (
      <Conflict
        differences={
          group.displayName === displayName.trim()
            ? []
            : [{ id: 'displayName', label: t('name'), theirs: group.displayName, yours: displayName.trim() }]
        }
        isBusy={rename.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => {
          setVersion(group.version);
          void submit(group.version);
        }}
      />
    );
  return (
    <FormDialog
      title={t('title')}
      isOpen
      onClose={onClose}
      submit={t('submit')}
      isBusy={rename.isBusy}
      onSubmit={() => void submit(version)}
      problem={otherProblem(rename.problems, 'displayName')}
    >
      <TextField
        label={t('name')}
        value={displayName}
        onChange={setDisplayName}
        problem={problemAt(rename.problems, 'displayName')}
        isRequired
        autoFocus
      />
      <FailureNote failure={rename.failure} />
    </FormDialog>
  );
}
