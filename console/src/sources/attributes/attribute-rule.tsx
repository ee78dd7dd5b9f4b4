import { useState } from 'react';
import { FailureNote, otherProblem, problemAt } from '../../graph/index.ts';
import { Action, Card, FormDialog, LinesField, linesOf, Select } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { useSaveSource } from '../save-source.tsx';
import type { SourceSettings } from '../source.ts';
import type { Rule } from './attribute-paths.ts';
import { AttributePreview } from './attribute-preview.tsx';

/** Attributes that a source may write, with a preview for a user. */
export function AttributeRule({ source, onReread }: { source: SourceSettings; onReread(): void }) {
  const t = useTranslations('sources.attributes');
  const [isEditing, setEditing] = useState(false);
  const { attributes } = source;
  return (
    <>
      <Card
        title={t('title')}
        actions={
          <Action scopes={['connectors:write']} onPress={() => setEditing(true)}>
            {t('edit')}
          </Action>
        }
      >
        <p>{t(attributes === null ? 'all' : `modes.${attributes.mode}`)}</p>
        {attributes !== null && (
          <ul className="rows">
            {attributes.paths.map((path) => (
              <li key={path}>
                <code className="grow">{path}</code>
              </li>
            ))}
          </ul>
        )}
        <p className="soft">{t('hint')}</p>
      </Card>
      {/* The dialog has its own preview; two would be confusing. */}
      {!isEditing && <AttributePreview rule={attributes} source={source} />}
      {isEditing && (
        <EditRule
          source={source}
          onClose={() => {
            setEditing(false);
            onReread();
          }}
        />
      )}
    </>
  );
}

type Mode = 'ALL' | Rule['mode'];
const modes: readonly Mode[] = ['ALL', 'ONLY', 'EXCEPT'];

function EditRule({ source, onClose }: { source: SourceSettings; onClose(): void }) {
  const t = useTranslations('sources.attributes');
  const words = useTranslations('common');
  const [mode, setMode] = useState<Mode>(source.attributes?.mode ?? 'ALL');
  const [paths, setPaths] = useState<readonly string[]>(source.attributes?.paths ?? []);
  const { save, change, conflict } = useSaveSource(source, onClose);
  const rule = mode === 'ALL' ? null : { mode, paths: linesOf(paths) };
  return (
    <>
      <FormDialog
        title={t('editTitle')}
        isOpen
        size="wide"
        submit={words('save')}
        onClose={onClose}
        isBusy={change.isBusy}
        problem={otherProblem(change.problems, 'paths')}
        onSubmit={() => void save({ attributes: rule })}
      >
        <Select
          label={t('mode')}
          options={modes.map((id) => ({ id, label: t(id === 'ALL' ? 'all' : `modes.${id}`) }))}
          value={mode}
          onChange={(value) => setMode(modes.find((one) => one === value) ?? mode)}
        />
        {mode !== 'ALL' && (
          <LinesField
            label={t('paths')}
            hint={t('pathsHint')}
            value={paths}
            onChange={setPaths}
            problem={problemAt(change.problems, 'paths')}
            isRequired
          />
        )}
        <AttributePreview rule={rule} source={source} />
        <FailureNote failure={change.failure} />
      </FormDialog>
      {conflict}
    </>
  );
}
