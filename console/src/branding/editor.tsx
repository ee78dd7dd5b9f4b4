import { useDeferredValue, useState } from 'react';
import { Form } from 'react-aria-components';
import { type Change, FailureNote, otherProblem, problemAt, useChange, useTheirs } from '../graph/index.ts';
import { Action, Button, Card, Conflict, type Difference, Note, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { ColourField } from './colour-field.tsx';
import {
  BrandingDocument,
  type BrandingQuery,
  UpdateBrandingDocument,
  type UpdateBrandingMutationVariables,
} from './generated/branding.ts';
import { type ChosenLogo, LogoField } from './logo-field.tsx';
import { type Look, Preview } from './preview.tsx';

type Branding = NonNullable<BrandingQuery['tenantBranding']>;
type Changes = Omit<UpdateBrandingMutationVariables['input'], 'version' | 'idempotencyKey'>;

interface Draft {
  name: string;
  colour: string;
  logo: ChosenLogo;
}

const draftOf = (branding: Branding): Draft => ({
  name: branding.name ?? '',
  colour: branding.color ?? '',
  logo: { kind: 'same' },
});

/** Edits the branding, with a preview. */
export function Editor({ branding, tenantName }: { branding: Branding; tenantName: string }) {
  // Version of the draft's origin: a concurrent change causes a conflict on save.
  const [base, setBase] = useState(branding);
  const [draft, setDraft] = useState(() => draftOf(branding));
  const begin = (from: Branding) => {
    setBase(from);
    setDraft(draftOf(from));
  };
  const change = useChange(UpdateBrandingDocument);
  const theirs = useTheirs(change.problems, BrandingDocument, {}, (read) => read.tenantBranding);
  const changes = changesOf(draft, base);
  const look = lookOf(draft, base, tenantName);
  const shown = useDeferredValue(look);
  const differences = useDifferences(theirs, draft, look, tenantName).filter(({ id }) => id in changes);
  const save = async (version: number) => {
    const saved = (await change.run({ ...changes, version }))?.updateTenantBranding?.tenantBranding;
    if (saved) begin(saved);
  };
  return (
    <div className="branding">
      <LookForm
        branding={base}
        tenantName={tenantName}
        draft={draft}
        onChange={setDraft}
        change={change}
        isChanged={Object.keys(changes).length > 0}
        onSave={() => void save(base.version)}
      />
      <div className="previews">
        <Preview look={shown} scheme="light" />
        <Preview look={shown} scheme="dark" />
      </div>
      {theirs && (
        <Conflict
          differences={differences}
          isBusy={change.isBusy}
          onTakeTheirs={() => {
            begin(theirs);
            change.reset();
          }}
          onKeepYours={() => void save(theirs.version)}
        />
      )}
    </div>
  );
}

interface LookFormProps {
  branding: Branding;
  tenantName: string;
  draft: Draft;
  onChange(draft: Draft): void;
  change: Pick<Change<unknown, unknown>, 'isBusy' | 'problems' | 'failure'>;
  isChanged: boolean;
  onSave(): void;
}

function LookForm({ branding, tenantName, draft, onChange, change, isChanged, onSave }: LookFormProps) {
  const t = useTranslations('branding');
  const other = otherProblem(change.problems, 'name', 'color', 'logo');
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isBusy && isChanged) onSave();
      }}
    >
      <Card title={t('look')}>
        <TextField
          label={t('name')}
          hint={t('nameHint', { name: tenantName })}
          maxLength={100}
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name })}
          problem={problemAt(change.problems, 'name')}
        />
        <ColourField
          value={draft.colour}
          onChange={(colour) => onChange({ ...draft, colour })}
          problem={problemAt(change.problems, 'color')}
        />
        <LogoField
          now={branding.logoUrl ?? undefined}
          value={draft.logo}
          onChange={(logo) => onChange({ ...draft, logo })}
          problem={problemAt(change.problems, 'logo')}
        />
        {other !== undefined && <Note tone="bad">{other}</Note>}
        <FailureNote failure={change.failure} />
        <div className="actions">
          <Action
            kind="primary"
            type="submit"
            scopes={['tenants:write']}
            isDisabled={!isChanged}
            isPending={change.isBusy}
          >
            {t('save')}
          </Action>
          <Button isDisabled={!isChanged} onPress={() => onChange(draftOf(branding))}>
            {t('undo')}
          </Button>
        </div>
      </Card>
    </Form>
  );
}

function lookOf({ name, colour, logo }: Draft, branding: Branding, tenantName: string): Look {
  const now = branding.logoUrl ?? undefined;
  return {
    name: name.trim() || tenantName,
    colour: colour.trim() || undefined,
    logo: logo.kind === 'new' ? logo.url : logo.kind === 'none' ? undefined : now,
  };
}

function useDifferences(
  theirs: Branding | undefined,
  draft: Draft,
  look: Look,
  tenantName: string,
): Difference[] {
  const t = useTranslations('branding');
  if (!theirs) return [];
  const picture = (url: string | null | undefined) =>
    url ? <img src={url} alt="" height={32} /> : t('noLogo');
  return [
    { id: 'name', label: t('name'), theirs: theirs.name ?? tenantName, yours: look.name },
    {
      id: 'color',
      label: t('colour'),
      theirs: theirs.color ?? t('standard'),
      yours: draft.colour || t('standard'),
    },
    { id: 'logo', label: t('logo'), theirs: picture(theirs.logoUrl), yours: picture(look.logo) },
  ];
}

/** Returns the changes; null restores the default. */
function changesOf(draft: Draft, branding: Branding): Changes {
  const name = draft.name.trim() || null;
  const color = draft.colour.trim().toLowerCase() || null;
  return {
    ...(name === branding.name ? {} : { name }),
    ...(color === (branding.color?.toLowerCase() ?? null) ? {} : { color }),
    ...(draft.logo.kind === 'new'
      ? { logo: draft.logo.url }
      : draft.logo.kind === 'none'
        ? { logo: null }
        : {}),
  };
}
