import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Card, Empty, FormDialog, TextField, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Account } from './account.ts';
import { Expiry } from './expiry.tsx';
import {
  AddServiceAccountKeyDocument,
  RemoveServiceAccountKeyDocument,
} from './generated/service-accounts.ts';
import { endOf, type Lifetime, LifetimeField } from './lifetime-field.tsx';

type Key = NonNullable<Account['publicKeys']>[number];

/** Public keys for signed assertions; the private key never leaves the program. */
export function PublicKeys({ account, onChanged }: { account: Account; onChanged(): void }) {
  const t = useTranslations('serviceAccounts.publicKeys');
  const [isAdding, setAdding] = useState(false);
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['clients:write']} onPress={() => setAdding(true)}>
          {t('add')}
        </Action>
      }
    >
      <p className="soft">{t('lead')}</p>
      {account.publicKeys?.length === 0 ? (
        <Empty title={t('none')}>{t('noneHint')}</Empty>
      ) : (
        <ul className="rows">
          {account.publicKeys?.map((key) => (
            <KeyRow key={key.id} publicKey={key} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {isAdding && <AddDialog account={account} onClose={() => setAdding(false)} onChanged={onChanged} />}
    </Card>
  );
}

function KeyRow({ publicKey, onChanged }: { publicKey: Key; onChanged(): void }) {
  const t = useTranslations('serviceAccounts.publicKeys');
  const keys = useTranslations('serviceAccounts.keys');
  const words = useTranslations('common');
  const change = useChange(RemoveServiceAccountKeyDocument);
  const remove = async () => {
    if (await change.run({ id: publicKey.id })) onChanged();
  };
  return (
    <li>
      <div className="grow">
        <code>{publicKey.kid}</code> {publicKey.alg}
        <div className="soft">
          {keys('ends')} <Expiry at={publicKey.expiresAt} /> · {keys('used')}{' '}
          {publicKey.lastUsedAt === null ? words('never') : <Time at={publicKey.lastUsedAt} relative />}
        </div>
        <FailureNote failure={change.failure} />
      </div>
      <ConfirmedAction
        scopes={['clients:write']}
        kind="danger"
        label={t('remove')}
        about={publicKey.kid}
        sentence={t('removeSentence')}
        onConfirm={() => void remove()}
      />
    </li>
  );
}

function AddDialog({
  account,
  onClose,
  onChanged,
}: {
  account: Account;
  onClose(): void;
  onChanged(): void;
}) {
  const t = useTranslations('serviceAccounts.publicKeys');
  const change = useChange(AddServiceAccountKeyDocument);
  const [jwk, setJwk] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [opened] = useState(Date.now);
  const isPrivate = hasPrivatePart(jwk);
  const submit = async () => {
    if (isPrivate) return;
    const done = await change.run({
      serviceAccountId: account.id,
      jwk: jwk.trim(),
      expiresAt: endOf(lifetime, opened) ?? null,
    });
    if (!done) return;
    onClose();
    onChanged();
  };
  return (
    <FormDialog
      title={t('add')}
      isOpen
      onClose={onClose}
      submit={t('add')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'jwk', 'expiresAt')}
    >
      <TextField
        label={t('jwk')}
        hint={t('jwkHint')}
        rows={6}
        isRequired
        autoFocus
        value={jwk}
        onChange={setJwk}
        problem={isPrivate ? t('private') : problemAt(change.problems, 'jwk')}
        placeholder='{"kty":"EC","crv":"P-256","x":"…","y":"…"}'
      />
      <LifetimeField
        value={lifetime}
        onChange={setLifetime}
        mayBeEndless
        problem={problemAt(change.problems, 'expiresAt')}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/** Reports whether a JWK contains private parameters (RFC 7518 §6): such a key is not sent. */
function hasPrivatePart(text: string): boolean {
  try {
    const jwk: unknown = JSON.parse(text);
    return typeof jwk === 'object' && jwk !== null && ['d', 'p', 'q', 'k'].some((name) => name in jwk);
  } catch {
    return false;
  }
}
