import type { ReactNode } from 'react';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';

export interface Difference {
  id: string;
  label: string;
  theirs: ReactNode;
  yours: ReactNode;
}

/** Shows a concurrent change beside the user's own changes, and lets the user choose. */
export function Conflict({
  differences,
  onKeepYours,
  onTakeTheirs,
  isBusy = false,
}: {
  differences: readonly Difference[];
  onKeepYours(): void;
  onTakeTheirs(): void;
  isBusy?: boolean;
}) {
  const t = useTranslations('conflict');
  return (
    <Dialog title={t('title')} isOpen onClose={onTakeTheirs} size="wide" isAlert>
      <Note tone="warn">{t('lead')}</Note>
      {differences.length === 0 ? (
        <p>{t('elsewhere')}</p>
      ) : (
        <div className="table-box">
          <table className="comparison">
            <thead>
              <tr>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('theirs')}</th>
                <th scope="col">{t('yours')}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ id, label, theirs, yours }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  <td>{theirs}</td>
                  <td>{yours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="actions">
        <Button onPress={onTakeTheirs}>{t('takeTheirs')}</Button>
        <Button kind="primary" onPress={onKeepYours} isPending={isBusy}>
          {t('keepYours')}
        </Button>
      </div>
    </Dialog>
  );
}
