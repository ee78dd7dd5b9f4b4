import { type ReactNode, useState } from 'react';
import { type Failure, FailureNote, otherProblem, type Problem, problemAt } from '../graph/index.ts';
import { Action, Badge, Card, Conflict, Empty, FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Mapping } from './mapping.ts';
import { MappingFields } from './mapping-fields.tsx';

/** A change of the mappings of an API or a client. */
export interface ClaimsChange {
  /** Saves the mappings; on the basis of `theirs` after a concurrent change. Resolves to whether they are saved. */
  save(mappings: readonly Mapping[]): Promise<boolean>;
  isBusy: boolean;
  problems: readonly Problem[];
  failure: Failure | undefined;
  /** Current mappings after a concurrent change. */
  theirs: readonly Mapping[] | undefined;
  /** Clears problems and failure. */
  reset(): void;
}

/** Claim mappings of an API or a client. */
export function ClaimsCard({
  lead,
  claims,
  change,
}: {
  lead: ReactNode;
  claims: readonly Mapping[];
  change: ClaimsChange;
}) {
  const t = useTranslations('claims');
  const [isEditing, setEditing] = useState(false);
  return (
    <Card
      title={t('title')}
      actions={
        <Action
          scopes={['clients:write']}
          onPress={() => {
            change.reset();
            setEditing(true);
          }}
        >
          {t('edit')}
        </Action>
      }
    >
      <p className="soft">{lead}</p>
      {claims.length === 0 && <Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      {claims.length > 0 && (
        <ul className="rows">
          {claims.map(({ name, expression, required }) => (
            <li key={name}>
              <div className="grow">
                <div className="row-title">
                  <code>{name}</code> {required && <Badge tone="warn">{t('required')}</Badge>}
                </div>
                <code className="soft">{expression}</code>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isEditing && <EditClaims claims={claims} change={change} onClose={() => setEditing(false)} />}
    </Card>
  );
}

function EditClaims({
  claims,
  change,
  onClose,
}: {
  claims: readonly Mapping[];
  change: ClaimsChange;
  onClose(): void;
}) {
  const t = useTranslations('claims');
  const words = useTranslations('common');
  const [mappings, setMappings] = useState<readonly Mapping[]>(claims.length > 0 ? claims : [emptyMapping]);
  const save = () => void change.save(mappings).then((isDone) => isDone && onClose());
  if (change.theirs)
    return (
      <Conflict
        differences={[
          {
            id: 'claims',
            label: t('title'),
            theirs: <Listed of={change.theirs} />,
            yours: <Listed of={mappings} />,
          },
        ]}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={save}
      />
    );
  return (
    <FormDialog
      title={t('editTitle')}
      isOpen
      size="wide"
      onClose={onClose}
      submit={words('save')}
      onSubmit={save}
      isBusy={change.isBusy}
      problem={problemAt(change.problems, 'claims') ?? otherProblem(change.problems, 'claims')}
    >
      <p className="soft">{t('variables')}</p>
      <MappingFields value={mappings} onChange={setMappings} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

const emptyMapping: Mapping = { name: '', expression: '', required: false };

const Listed = ({ of }: { of: readonly Mapping[] }) => (
  <ul className="plain-list">
    {of.map(({ name, expression }) => (
      <li key={name}>
        <code>
          {name}: {expression}
        </code>
      </li>
    ))}
  </ul>
);
