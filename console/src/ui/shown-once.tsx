import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';
import { Copyable } from './copy.tsx';
import { Note } from './note.tsx';

export interface Credential {
  label: string;
  value: string;
}

/** A secret that cannot be displayed again. Neither Escape nor a click outside closes the dialog. */
export function ShownOnce({
  title,
  credentials,
  hint,
  onClose,
}: {
  title: string;
  credentials: readonly Credential[];
  hint?: string | undefined;
  onClose(): void;
}) {
  const t = useTranslations('common');
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={false} isKeyboardDismissDisabled>
      <Modal className="modal">
        <AriaDialog className="dialog" role="alertdialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <Note tone="warn">{t('shownOnce')}</Note>
          {credentials.map(({ label, value }) => (
            <div key={label} className="field">
              <span className="label">{label}</span>
              <Copyable value={value} label={label} />
            </div>
          ))}
          {hint !== undefined && <p className="soft">{hint}</p>}
          <div className="actions">
            <Button kind="primary" onPress={onClose} autoFocus>
              {t('stored')}
            </Button>
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
