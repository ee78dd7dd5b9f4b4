import { useState } from 'react';
import { FailureNote, otherProblem, type Problem, problemAt, useChange } from '../graph/index.ts';
import { apiScopes, personalScopes, ScopePicker } from '../scopes/index.ts';
import { FormDialog, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CreateInitialAccessTokenDocument } from './generated/initial-access-tokens.ts';

const hour = 3600;
const lifetimes = {
  hour,
  day: 24 * hour,
  week: 168 * hour,
  month: 720 * hour,
  quarter: 2160 * hour,
} as const;
type Lifetime = keyof typeof lifetimes;

/** Creates a token, which is shown once. */
export function CreateDialog({ onClose, onToken }: { onClose(): void; onToken(token: string): void }) {
  const t = useTranslations('initialAccessTokens');
  const change = useChange(CreateInitialAccessTokenDocument);
  const [name, setName] = useState('');
  const [uses, setUses] = useState('1');
  const [lifetime, setLifetime] = useState<Lifetime>('day');
  const [scopes, setScopes] = useState<readonly string[]>(['openid', 'profile', 'email', 'offline_access']);
  const submit = async () => {
    if (!isCount(uses)) return;
    const done = await change.run({
      name: name.trim(),
      uses: Number(uses),
      expiresIn: lifetimes[lifetime],
      scopes: [...scopes],
    });
    if (!done) return;
    onClose();
    const token = done.createInitialAccessToken?.token;
    if (token) onToken(token);
  };
  return (
    <FormDialog
      title={t('create')}
      size="wide"
      isOpen
      onClose={onClose}
      submit={t('create')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'uses', 'expiresIn', 'scopes')}
    >
      <TextField
        label={t('fields.name')}
        hint={t('hints.name')}
        isRequired
        autoFocus
        value={name}
        onChange={setName}
        problem={problemAt(change.problems, 'name')}
      />
      <Limits
        uses={uses}
        onUses={setUses}
        lifetime={lifetime}
        onLifetime={setLifetime}
        problems={change.problems}
      />
      <ScopePicker
        label={t('fields.scopes')}
        hint={t('hints.scopes')}
        offered={[...personalScopes, ...apiScopes]}
        value={scopes}
        onChange={setScopes}
        problem={problemAt(change.problems, 'scopes')}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

const isCount = (uses: string): boolean => /^[1-9]\d{0,3}$/.test(uses) && Number(uses) <= 1000;

/** Maximum number of uses, and lifetime. */
function Limits({
  uses,
  onUses,
  lifetime,
  onLifetime,
  problems,
}: {
  uses: string;
  onUses(uses: string): void;
  lifetime: Lifetime;
  onLifetime(lifetime: Lifetime): void;
  problems: readonly Problem[];
}) {
  const t = useTranslations('initialAccessTokens');
  return (
    <>
      <TextField
        label={t('fields.uses')}
        hint={t('hints.uses')}
        inputMode="numeric"
        value={uses}
        onChange={onUses}
        problem={isCount(uses) ? problemAt(problems, 'uses') : t('hints.uses')}
      />
      <Select
        label={t('fields.ends')}
        options={(Object.keys(lifetimes) as Lifetime[]).map((id) => ({ id, label: t(`lifetimes.${id}`) }))}
        value={lifetime}
        onChange={(key) => onLifetime(key as Lifetime)}
        problem={problemAt(problems, 'expiresIn')}
      />
    </>
  );
}
