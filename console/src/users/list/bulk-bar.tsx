import { useState } from 'react';
import { Action, Button } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { PersonInList } from './columns.tsx';
import type { BulkKind } from './use-bulk-step.ts';

/** Actions on the selected users. */
export function BulkBar({
  people,
  onClear,
  onDone,
}: {
  people: readonly PersonInList[];
  onClear(): void;
  onDone(): void;
}) {
  const t = useTranslations('users.bulk');
  // Fixed at the start: users may leave the list while they are processed.
  const [begun, setBegun] = useState<{ kind: BulkKind; people: readonly PersonInList[] }>();
  const begin = (kind: BulkKind) => () => setBegun({ kind, people });
  return (
    <section className="bulk-bar" aria-label={t('label')}>
      <strong>{t('chosen', { count: people.length })}</strong>
      <Action kind="danger" scopes={['users:write']} onPress={begin('deactivate')}>
        {t('deactivate.open')}
      </Action>
      <Action scopes={['groups:write']} onPress={begin('group')}>
        {t('group.open')}
      </Action>
      <Action scopes={['sessions:write']} onPress={begin('signOut')}>
        {t('signOut.open')}
      </Action>
      <Button kind="plain" onPress={onClear}>
        {t('clear')}
      </Button>
      {begun && (
        <BulkDialog
          kind={begun.kind}
          people={begun.people}
          onClose={(wasDone) => {
            setBegun(undefined);
            if (!wasDone) return;
            onClear();
            onDone();
          }}
        />
      )}
    </section>
  );
}
