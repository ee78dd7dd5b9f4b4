import { useState } from 'react';
import { FailureNote, useChange, useTheirs } from '../../graph/index.ts';
import { Conflict, type Difference, FormDialog } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { ApplicationDocument, UpdateApplicationDocument } from '../generated/applications.ts';
import { MemberField } from './member-field.tsx';
import { MemberValue } from './member-value.tsx';
import {
  type Application,
  changesOf,
  type Draft,
  draftOf,
  type GroupName,
  isSame,
  membersOf,
  type Value,
} from './metadata.ts';
import { memberProblem, otherMemberProblem } from './problems.ts';

interface EditProps {
  application: Application;
  group: GroupName;
  onClose(): void;
  /** Called with the new secret if the authentication method requires a different kind of secret. */
  onSecret(secret: string): void;
}

/** Edits one group of a registration, based on the version at the time of opening. */
export function EditDialog({ application, group, onClose, onSecret }: EditProps) {
  const t = useTranslations('applications');
  const words = useTranslations('common');
  const members = membersOf[group];
  const [base] = useState(application);
  const [draft, setDraft] = useState<Draft>(() => draftOf(application, members));
  const change = useChange(UpdateApplicationDocument);
  const theirs = useTheirs(change.problems, ApplicationDocument, { id: base.id }, ({ client }) => client);
  const differences = useDifferences(group, base, theirs, draft);
  const save = async (version: number) => {
    const changes = changesOf(draft, base);
    if (Object.keys(changes).length === 0) return onClose();
    const done = await change.run({ ...changes, id: base.id, version });
    if (!done) return;
    const secret = done.updateClient?.clientSecret;
    onClose();
    if (secret) onSecret(secret);
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
      title={t(`groups.${group}`)}
      isOpen
      size="wide"
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void save(base.version)}
      isBusy={change.isBusy}
      problem={otherMemberProblem(
        change.problems,
        members.map(({ name }) => name),
      )}
    >
      {members.map((member) => (
        <MemberField
          key={member.name}
          member={member}
          value={draft[member.name]}
          problem={memberProblem(change.problems, member.name)}
          onChange={(value: Value) => setDraft((before) => ({ ...before, [member.name]: value }))}
        />
      ))}
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Returns the members that both sides have changed. */
function useDifferences(
  group: GroupName,
  base: Application,
  theirs: Application | undefined,
  draft: Draft,
): Difference[] {
  const t = useTranslations('applications.members');
  const words = useTranslations('conflict');
  if (!theirs) return [];
  return membersOf[group].flatMap((member) => {
    const { name } = member;
    const isMine = !isSame(draft[name], base[name]);
    if (!isMine && isSame(theirs[name], base[name])) return [];
    return [
      {
        id: name,
        label: t(`${name}.label`),
        theirs: <MemberValue member={member} value={theirs[name]} />,
        yours: isMine ? (
          <MemberValue member={member} value={draft[name]} />
        ) : (
          <span className="soft">{words('notYours')}</span>
        ),
      },
    ];
  });
}
