import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, useState } from 'react';
import { type Change, useChange } from '../graph/index.ts';
import { Conflict } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  SourceByIdDocument,
  type UpdateConnectorInput,
  UpdateSourceDocument,
  type UpdateSourceMutation,
} from './generated/sources.ts';
import type { SourceInput, SourceSettings } from './source.ts';
import { differencesOf } from './source-differences.ts';

export interface SaveSource {
  save(input: SourceInput): Promise<void>;
  change: Change<UpdateSourceMutation, Omit<UpdateConnectorInput, 'idempotencyKey'>>;
  /** Shown after a concurrent change. */
  conflict: ReactNode;
}

/** Saves changes of a source, based on the version that was shown. */
export function useSaveSource(source: SourceSettings, onDone: () => void): SaveSource {
  const t = useTranslations('sources.differences');
  const client = useApolloClient();
  const change = useChange(UpdateSourceDocument);
  const [clash, setClash] = useState<{ input: SourceInput; theirs: SourceSettings }>();
  const saveOn = async (input: SourceInput, version: number) => {
    if (await change.run({ ...input, id: source.id, version })) {
      setClash(undefined);
      onDone();
      return;
    }
    const { data } = await client.query({
      query: SourceByIdDocument,
      variables: { id: source.id },
      fetchPolicy: 'network-only',
    });
    // The form shows other problems.
    if (data?.connector && data.connector.version !== version) setClash({ input, theirs: data.connector });
  };
  const conflict = clash && (
    <Conflict
      differences={differencesOf(clash.input, clash.theirs).map(({ member, ...texts }) => ({
        id: member,
        label: t(member),
        ...texts,
      }))}
      onKeepYours={() => void saveOn(clash.input, clash.theirs.version)}
      onTakeTheirs={onDone}
      isBusy={change.isBusy}
    />
  );
  return { save: (input) => saveOn(input, source.version), change, conflict };
}
