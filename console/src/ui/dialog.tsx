import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';
import { Note } from './note.tsx';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  size?: 'wide';
  /** Confirms an irreversible action. */
  isAlert?: boolean;
}

export const Dialog = ({ title, isOpen, onClose, children, size, isAlert }: DialogProps) => (
  <ModalOverlay
    className="overlay"
    isOpen={isOpen}
    onOpenChange={(open) => open || onClose()}
    isDismissable={!isAlert}
  >
    <Modal className="modal" {...(size ? { 'data-size': size } : {})}>
      <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);

export interface FormDialogProps extends DialogProps {
  submit: string;
  onSubmit(): void;
  isBusy: boolean;
  /** Problem of the entire form, as reported by the server. */
  problem?: string | undefined;
  kind?: 'danger';
}

/** A dialog with a form: Enter submits it, Escape closes it. */
export function FormDialog({
  submit,
  onSubmit,
  isBusy,
  problem,
  kind,
  children,
  ...dialog
}: FormDialogProps) {
  const t = useTranslations('common');
  return (
    <Dialog {...dialog}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSubmit();
        }}
      >
        {children}
        {problem !== undefined && <Note tone="bad">{problem}</Note>}
        <div className="actions">
          <Button onPress={dialog.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={kind ?? 'primary'} isPending={isBusy}>
            {submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
