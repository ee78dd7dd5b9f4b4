import { useState } from 'react';
import { CheckboxGroup, Label } from 'react-aria-components';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { Checkbox, FormDialog, Note, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RotateSigningKeysDocument } from './generated/keys.ts';
import type { SigningKey } from './signing-key.ts';

type Algorithm = SigningKey['algorithm'];

interface RotateProps {
  algorithms: readonly Algorithm[];
  onClose(): void;
  onDone(): void;
}

/** Rotates keys without invalidating tokens. */
export function RotateDialog({ algorithms, onClose, onDone }: RotateProps) {
  const t = useTranslations('keys');
  const change = useChange(RotateSigningKeysDocument);
  const [chosen, setChosen] = useState<string[]>([...algorithms]);
  const submit = async () => {
    if (!(await change.run({ algorithms: chosen as Algorithm[] }))) return;
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={t('rotate')}
      isOpen
      onClose={onClose}
      submit={t('rotate')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t('rotateLead')}</p>
      <Algorithms algorithms={algorithms} chosen={chosen} onChange={setChosen} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

/**
 * Removes compromised keys and invalidates everything that they signed, after the tenant's id was typed as
 * confirmation.
 */
export function CompromisedDialog({ algorithms, tenant, onClose, onDone }: RotateProps & { tenant: string }) {
  const t = useTranslations('keys');
  const change = useChange(RotateSigningKeysDocument);
  const [chosen, setChosen] = useState<string[]>([...algorithms]);
  const [typed, setTyped] = useState('');
  const [isUnderstood, setUnderstood] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const submit = async () => {
    if (typed.trim() !== tenant || !isUnderstood) return setWrong(true);
    if (!(await change.run({ algorithms: chosen as Algorithm[], compromised: true }))) return;
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={t('compromisedTitle')}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={t('compromisedSubmit')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <Note tone="bad">{t('compromisedLead')}</Note>
      <ul>
        <li>{t('compromisedEnds')}</li>
        <li>{t('compromisedVerifiers')}</li>
        <li>{t('compromisedYou')}</li>
      </ul>
      <Algorithms algorithms={algorithms} chosen={chosen} onChange={setChosen} />
      <Checkbox isSelected={isUnderstood} onChange={setUnderstood} isInvalid={isWrong && !isUnderstood}>
        {t('understood')}
      </Checkbox>
      <TextField
        label={t('typeTenant', { tenant })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        problem={
          isWrong && typed.trim() !== tenant
            ? t('wrongTenant')
            : isWrong && !isUnderstood
              ? t('notUnderstood')
              : undefined
        }
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

function Algorithms({
  algorithms,
  chosen,
  onChange,
}: {
  algorithms: readonly Algorithm[];
  chosen: string[];
  onChange(chosen: string[]): void;
}) {
  const t = useTranslations('keys');
  return (
    <CheckboxGroup className="field" value={chosen} onChange={onChange} isRequired>
      <Label>{t('algorithms')}</Label>
      {algorithms.map((algorithm) => (
        <Checkbox key={algorithm} value={algorithm}>
          {algorithm === 'EDDSA' ? 'EdDSA' : algorithm}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
