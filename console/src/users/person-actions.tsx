import { useNavigate } from '@tanstack/react-router';
import { DoorClosed, DoorOpen } from 'lucide-react';
import { useState } from 'react';
import { FailureNote, problemText, useChange } from '../graph/index.ts';
import { Action, type Credential, Menu, Note, ShownOnce } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import { InviteDialog } from './access/invite-dialog.tsx';
import { ResetDialog } from './access/reset-dialog.tsx';
import { DeleteDialog } from './departure/delete-dialog.tsx';
import { LetBackInDocument } from './departure/generated/departure.ts';
import { OffboardDialog } from './departure/offboard-dialog.tsx';
import { SignOutDialog } from './doors/sign-out-dialog.tsx';
import { nameOf, type Person } from './person.ts';

type Step = 'offboard' | 'invite' | 'reset' | 'signOut' | 'delete';

export function UserActions({ person, onLeft }: { person: Person; onLeft(version: number): void }) {
  const t = useTranslations('users.actions');
  const [step, setStep] = useState<Step>();
  const [link, setLink] = useState<{ title: string; url: string; expiresAt: string | null }>();
  const close = () => setStep(undefined);
  const shown = (title: string) => (url: string, expiresAt: string | null) =>
    setLink({ title, url, expiresAt });
  return (
    <>
      {person.active ? (
        <Action kind="danger" scopes={['users:write']} onPress={() => setStep('offboard')}>
          <DoorClosed aria-hidden /> {t('offboard')}
        </Action>
      ) : (
        <BackIn person={person} />
      )}
      <Menu
        label={t('more')}
        entries={[
          {
            id: 'invite',
            label: t('invite'),
            scopes: ['users:write', 'access:write'],
            onAction: () => setStep('invite'),
          },
          {
            id: 'reset',
            label: t('reset'),
            scopes: ['users:write', 'access:write'],
            onAction: () => setStep('reset'),
          },
          {
            id: 'signOut',
            label: t('signOut'),
            scopes: ['sessions:write'],
            onAction: () => setStep('signOut'),
          },
          {
            id: 'delete',
            label: t('delete'),
            tone: 'bad',
            scopes: ['users:write'],
            onAction: () => setStep('delete'),
          },
        ]}
      />
      {step === 'offboard' && <OffboardDialog person={person} onClose={close} onLeft={onLeft} />}
      {step === 'invite' && <InviteDialog person={person} onClose={close} onLink={shown(t('inviteLink'))} />}
      {step === 'reset' && <ResetDialog person={person} onClose={close} onLink={shown(t('resetLink'))} />}
      {step === 'signOut' && <SignOutDialog person={person} onClose={close} />}
      {step === 'delete' && <DeletePerson person={person} onClose={close} />}
      {link && <LinkShownOnce name={nameOf(person)} {...link} onClose={() => setLink(undefined)} />}
    </>
  );
}

function BackIn({ person }: { person: Person }) {
  const t = useTranslations('users.actions');
  const failures = useTranslations('failures');
  const change = useChange(LetBackInDocument);
  const problem = problemText(change.problems, failures('conflict'));
  return (
    <>
      <Action
        scopes={['users:write']}
        isPending={change.isBusy}
        onPress={() => void change.run({ id: person.id, version: person.version })}
      >
        <DoorOpen aria-hidden /> {t('reactivate')}
      </Action>
      {change.failure && <FailureNote failure={change.failure} />}
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
    </>
  );
}

function DeletePerson({ person, onClose }: { person: Person; onClose(): void }) {
  const navigate = useNavigate({ from: '/t/$tenant/users/$id' });
  return (
    <DeleteDialog
      person={person}
      onClose={onClose}
      onDone={() => void navigate({ to: '/t/$tenant/users' })}
    />
  );
}

/** The link grants access to the account: it is shown once. */
function LinkShownOnce({
  name,
  title,
  url,
  expiresAt,
  onClose,
}: {
  name: string;
  title: string;
  url: string;
  expiresAt: string | null;
  onClose(): void;
}) {
  const t = useTranslations('users.actions');
  const format = useFormatter();
  const credentials: Credential[] = [{ label: t('linkFor', { name }), value: url }];
  const until =
    expiresAt === null
      ? undefined
      : t('linkUntil', {
          time: format.dateTime(new Date(expiresAt), { dateStyle: 'medium', timeStyle: 'short' }),
        });
  return <ShownOnce title={title} credentials={credentials} hint={until} onClose={onClose} />;
}
