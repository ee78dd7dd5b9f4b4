import type { ReactNode } from 'react';
import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Note, Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { TakeAuthenticatorAppDocument, TakePasskeyDocument } from './generated/doors.ts';
import type { AccessPathsProps, Doors } from './use-doors.ts';

type Credentials = NonNullable<Doors['credentials']>;
const scopes = ['users:write', 'access:write'] as const;

/** Credentials of a user. */
export function CredentialsPart({ id, doors, isLoading, failure }: AccessPathsProps) {
  const t = useTranslations('doors.credentials');
  const { passkey, app } = useTaking(id);
  const credentials = doors?.credentials;
  const problem = [...passkey.problems, ...app.problems][0];
  return (
    <Part
      title={t('title')}
      scopes={['sessions:read']}
      isLoading={isLoading}
      isMissing={!doors && failure !== undefined}
      isEmpty={!credentials}
      empty={t('empty')}
    >
      {credentials && (
        <ul className="rows">
          <Password credentials={credentials} />
          {credentials.passkeys.map((one) => (
            <Passkey
              key={one.id}
              passkey={one}
              onRemove={() => void passkey.run({ id: one.id, userId: id })}
            />
          ))}
          {credentials.hasAuthenticatorApp && (
            <AuthenticatorApp credentials={credentials} onRemove={() => void app.run({ userId: id })} />
          )}
        </ul>
      )}
      {credentials && !credentials.hasAuthenticatorApp && credentials.passkeys.length === 0 && (
        <p className="soft">{t('oneFactor')}</p>
      )}
      {(passkey.failure ?? app.failure) && <FailureNote failure={passkey.failure ?? app.failure} />}
      {problem && <Note tone="bad">{problem.message}</Note>}
    </Part>
  );
}

function useTaking(id: string) {
  const passkey = useChange(TakePasskeyDocument, (cache, input) =>
    removeObject(cache, `Passkey:${input.id}`),
  );
  const app = useChange(TakeAuthenticatorAppDocument, (cache) =>
    cache.modify<{ credentials: Credentials }>({
      id: `User:${id}`,
      fields: {
        credentials: (now) => ({ ...now, hasAuthenticatorApp: false, authenticatorAppAddedAt: null }),
      },
    }),
  );
  return { passkey, app };
}

function Password({ credentials }: { credentials: Credentials }) {
  const t = useTranslations('doors.credentials');
  return (
    <Credential
      name={t('password')}
      facts={
        <span>
          {credentials.passwordChangedAt
            ? t.rich('changed', { time: () => <Time at={credentials.passwordChangedAt ?? ''} /> })
            : credentials.hasPassword
              ? t('set')
              : t('noPassword')}
        </span>
      }
    />
  );
}

function Passkey({ passkey, onRemove }: { passkey: Credentials['passkeys'][number]; onRemove(): void }) {
  const t = useTranslations('doors.credentials');
  return (
    <Credential
      name={passkey.name === '' ? t('passkey') : t('passkeyNamed', { name: passkey.name })}
      facts={<PasskeyFacts passkey={passkey} />}
    >
      <ConfirmedAction
        scopes={scopes}
        label={t('remove')}
        about={passkey.name === '' ? t('passkey') : passkey.name}
        sentence={t('removePasskey')}
        onConfirm={onRemove}
      />
    </Credential>
  );
}

/** Authenticator app and recovery codes. */
function AuthenticatorApp({ credentials, onRemove }: { credentials: Credentials; onRemove(): void }) {
  const t = useTranslations('doors.credentials');
  const { authenticatorAppAddedAt: addedAt, recoveryCodesLeft } = credentials;
  return (
    <>
      <Credential
        name={t('app')}
        facts={<span>{addedAt && t.rich('added', { time: () => <Time at={addedAt} /> })}</span>}
      >
        <ConfirmedAction
          scopes={scopes}
          label={t('remove')}
          about={t('app')}
          sentence={t('removeApp')}
          onConfirm={onRemove}
        />
      </Credential>
      <Credential name={t('codes')} facts={t('codesLeft', { count: recoveryCodesLeft })} />
    </>
  );
}

const Credential = ({ name, facts, children }: { name: string; facts: ReactNode; children?: ReactNode }) => (
  <li>
    <div className="grow">
      <div className="row-title">{name}</div>
      <div className="soft row-facts">{facts}</div>
    </div>
    {children}
  </li>
);

function PasskeyFacts({ passkey }: { passkey: Credentials['passkeys'][number] }) {
  const t = useTranslations('doors.credentials');
  return (
    <>
      <span>{t.rich('added', { time: () => <Time at={passkey.createdAt} /> })}</span>
      <span>
        {passkey.lastUsedAt === null
          ? t('unused')
          : t.rich('used', { time: () => <Time at={passkey.lastUsedAt ?? ''} relative /> })}
      </span>
      <span>{passkey.synced ? t('synced') : t('bound')}</span>
    </>
  );
}
