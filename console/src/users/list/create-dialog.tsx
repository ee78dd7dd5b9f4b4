import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../../graph/index.ts';
import { FormDialog, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { AddPersonDocument } from '../generated/users.ts';

const names = ['userName', 'givenName', 'familyName', 'displayName', 'email'] as const;
type Name = (typeof names)[number];

/** Creates a user and opens the page from which the user is invited. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('users.create');
  const [values, setValues] = useState<Record<Name, string>>({
    userName: '',
    givenName: '',
    familyName: '',
    displayName: '',
    email: '',
  });
  const add = useChange(AddPersonDocument);
  const navigate = useNavigate({ from: '/t/$tenant/users' });
  const submit = async () => {
    const { userName, givenName, familyName, displayName, email } = values;
    const fullName = `${givenName} ${familyName}`.trim();
    const done = await add.run({
      userName: userName.trim(),
      ...(displayName || fullName ? { displayName: displayName || fullName } : {}),
      ...(fullName ? { name: { givenName: givenName || null, familyName: familyName || null } } : {}),
      ...(email ? { emails: [{ value: email.trim(), primary: true }] } : {}),
    });
    const id = done?.createUser?.user?.id;
    if (id) void navigate({ to: '/t/$tenant/users/$id', params: (now) => ({ ...now, id }) });
  };
  const at = (name: Name) => problemAt(add.problems, name === 'email' ? 'emails' : name);
  return (
    <FormDialog
      title={t('title')}
      isOpen
      onClose={onClose}
      submit={t('submit')}
      isBusy={add.isBusy}
      onSubmit={() => void submit()}
      problem={otherProblem(add.problems, ...names, 'emails')}
    >
      {names.map((name) => (
        <TextField
          key={name}
          label={t(name)}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
          problem={at(name)}
          isRequired={name === 'userName'}
          autoFocus={name === 'userName'}
          {...(name === 'userName' ? { hint: t('userNameHint') } : {})}
          {...(name === 'displayName' ? { hint: t('displayNameHint') } : {})}
          {...(name === 'email' ? { type: 'email' } : {})}
        />
      ))}
      <FailureNote failure={add.failure} />
    </FormDialog>
  );
}
