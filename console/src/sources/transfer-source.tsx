import { useQuery } from '@apollo/client/react';
import { useDeferredValue, useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { Combo, FormDialog, type Found } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { OwnerSearchDocument, TransferSourceDocument } from './generated/sources.ts';
import type { Source } from './source.ts';

/** Transfers a source to another user or to a group, which outlasts users. */
export function TransferSource({ source, onClose }: { source: Source; onClose(): void }) {
  const t = useTranslations('sources.actions');
  const transfer = useChange(TransferSourceDocument);
  const [text, setText] = useState('');
  const [owner, setOwner] = useState<Found>();
  const found = useFound(text, owner?.label);
  return (
    <FormDialog
      title={t('transferTitle', { name: source.name })}
      isOpen
      submit={t('transfer')}
      onClose={onClose}
      isBusy={transfer.isBusy}
      problem={otherProblem(transfer.problems, 'ownerId')}
      onSubmit={() => {
        if (!owner) return;
        void transfer
          .run({ id: source.id, ownerId: owner.id, version: source.version })
          .then((done) => done && onClose());
      }}
    >
      <p>{t('transferHint')}</p>
      <Combo
        label={t('newOwner')}
        items={found}
        text={text}
        onText={setText}
        onChoose={setOwner}
        problem={problemAt(transfer.problems, 'ownerId')}
        isRequired
        autoFocus
      />
      <FailureNote failure={transfer.failure} />
    </FormDialog>
  );
}

function useFound(typed: string, chosen: string | undefined): Found[] {
  const t = useTranslations('sources.actions');
  const text = useDeferredValue(typed.trim());
  const { data } = useQuery(OwnerSearchDocument, {
    variables: { text },
    skip: text === '' || typed === chosen,
  });
  const people = (data?.users?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName ?? node.userName, detail: node.userName }] : [],
  );
  const groups = (data?.groups?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName, detail: t('group') }] : [],
  );
  return [...people, ...groups];
}
