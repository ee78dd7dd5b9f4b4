import { type ReactNode, useState } from 'react';
import { useTranslations } from '../words/index.ts';
import { Action, Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** A button for an irreversible action, with a confirmation that states the effect. */
export function ConfirmedAction({
  scopes,
  label,
  about,
  sentence,
  onConfirm,
  kind = 'plain',
}: {
  scopes: readonly string[];
  label: string;
  /** Object of the action, for the label of one of several such buttons. */
  about?: string;
  sentence: ReactNode;
  onConfirm(): void;
  kind?: 'plain' | 'danger';
}) {
  const t = useTranslations('common');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const name = about === undefined ? label : t('of', { action: label, name: about });
  return (
    <>
      <Action scopes={scopes} kind={kind} aria-label={name} onPress={() => setOpen(true)}>
        {label}
      </Action>
      <Dialog title={name} isOpen={isOpen} onClose={close} isAlert>
        <p>{sentence}</p>
        <div className="actions">
          <Button onPress={close}>{t('cancel')}</Button>
          <Button
            kind="danger"
            autoFocus
            onPress={() => {
              close();
              onConfirm();
            }}
          >
            {label}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
