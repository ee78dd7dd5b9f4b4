import { type ReactNode, useState } from 'react';
import { type Failure, type Problem, useChange, useTheirs } from '../graph/index.ts';
import { Conflict, type Difference } from '../ui/index.ts';
import type { Api, ApiChanges } from './api.ts';
import { ApiDocument, UpdateApiDocument } from './generated/apis.ts';

interface ApiChange {
  /** Saves the changes to the API as it was read. */
  save(): Promise<void>;
  isBusy: boolean;
  problems: readonly Problem[];
  failure: Failure | undefined;
  /** Shown instead of the form after a concurrent change. */
  conflict: ReactNode;
}

/**
 * Changes an API on the basis of its version. After a concurrent change, both are shown side by side, and the own change
 * can be applied to the current state.
 * @param changesTo returns the changes to a state of the API
 * @param differences compares a current state with the own changes
 * @param onClose called when the changes are saved, or discarded for the current state
 */
export function useApiChange(
  api: Api,
  changesTo: (current: Api) => ApiChanges,
  differences: (base: Api, theirs: Api) => Difference[],
  onClose: () => void,
): ApiChange {
  const [base] = useState(api);
  const change = useChange(UpdateApiDocument);
  const theirs = useTheirs(change.problems, ApiDocument, { id: base.id }, (data) => data.api);
  const saveOn = async (current: Api) => {
    const done = await change.run({ ...changesTo(current), id: current.id, version: current.version });
    if (done) onClose();
  };
  return {
    save: () => saveOn(base),
    isBusy: change.isBusy,
    problems: change.problems,
    failure: change.failure,
    conflict: theirs && (
      <Conflict
        differences={differences(base, theirs)}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => void saveOn(theirs)}
      />
    ),
  };
}
