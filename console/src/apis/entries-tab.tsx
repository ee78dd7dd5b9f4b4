import { type ReactNode, useState } from 'react';
import { FailureNote, problemText, useChange, useTheirs } from '../graph/index.ts';
import { ConfirmedAction } from '../ui/confirmed-action.tsx';
import { Action, Card, Empty, Note } from '../ui/index.ts';
import { useLanguage, useTranslations } from '../words/index.ts';
import { type Api, descriptionIn, type Entry, type EntryKind, inputOf, withEntry } from './api.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { ApiDocument, UpdateApiDocument } from './generated/apis.ts';

/**
 * Scopes or roles of an API, with their descriptions.
 * @param linkOf returns a link to the apps or users with an entry
 */
export function EntriesTab({
  api,
  kind,
  linkOf,
}: {
  api: Api;
  kind: EntryKind;
  linkOf(entry: Entry): ReactNode;
}) {
  const t = useTranslations(`apis.${kind}`);
  const remove = useChange(UpdateApiDocument);
  // Reads the current version after a concurrent change, so that the next attempt succeeds.
  useTheirs(remove.problems, ApiDocument, { id: api.id }, (data) => data.api);
  const [edited, setEdited] = useState<Entry | 'new'>();
  const entries = api[kind];
  const problem = problemText(remove.problems, useTranslations('failures')('conflict'));
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['clients:write']} onPress={() => setEdited('new')}>
          {t('add')}
        </Action>
      }
    >
      <p className="soft">{t('lead')}</p>
      <FailureNote failure={remove.failure} />
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
      {entries.length === 0 && <Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      {entries.length > 0 && (
        <ul className="rows">
          {entries.map((entry) => (
            <EntryRow
              key={entry.name}
              entry={entry}
              kind={kind}
              link={linkOf(entry)}
              onEdit={() => setEdited(entry)}
              onRemove={() =>
                void remove.run({
                  id: api.id,
                  version: api.version,
                  [kind]: inputOf(withEntry(entries, entry.name, undefined)),
                })
              }
            />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <EntryDialog
          api={api}
          kind={kind}
          entry={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

function EntryRow({
  entry: { name, descriptions },
  kind,
  link,
  onEdit,
  onRemove,
}: {
  entry: Entry;
  kind: EntryKind;
  link: ReactNode;
  onEdit(): void;
  onRemove(): void;
}) {
  const t = useTranslations('apis');
  const { language } = useLanguage();
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <code>{name}</code>
        </div>
        <div className="soft row-facts">
          <span>{descriptionIn(descriptions, language) ?? t('undescribed')}</span>
          {descriptions.length > 0 && <span>{descriptions.map((one) => one.language).join(', ')}</span>}
          {link !== undefined && <span>{link}</span>}
        </div>
      </div>
      <Action
        kind="plain"
        scopes={['clients:write']}
        aria-label={t(`${kind}.edit`, { name })}
        onPress={onEdit}
      >
        {t('edit')}
      </Action>
      <ConfirmedAction
        scopes={['clients:write']}
        label={t('remove')}
        about={name}
        sentence={t(`${kind}.removeHint`)}
        onConfirm={onRemove}
      />
    </li>
  );
}
