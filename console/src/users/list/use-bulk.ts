import { useRef, useState } from 'react';

export type Outcome =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'done'; milliseconds: number }
  | { state: 'failed'; message: string };

export interface Bulk {
  outcomes: ReadonlyMap<string, Outcome>;
  isRunning: boolean;
  isOver: boolean;
  run(): Promise<void>;
  /** Stops after the current item. */
  stop(): void;
}

/**
 * Processes several items one by one; a failure of one does not stop the others.
 * @param act processes one item; returns the message of a rejection
 */
export function useBulk(ids: readonly string[], act: (id: string) => Promise<string | undefined>): Bulk {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [step, setStep] = useState<'ready' | 'running' | 'over'>('ready');
  const isStopped = useRef(false);
  const note = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome));
  const run = async () => {
    setStep('running');
    setOutcomes(new Map(ids.map((id) => [id, { state: 'waiting' }])));
    for (const id of ids) {
      if (isStopped.current) break;
      note(id, { state: 'running' });
      const begun = performance.now();
      const message = await act(id);
      note(
        id,
        message === undefined
          ? { state: 'done', milliseconds: Math.round(performance.now() - begun) }
          : { state: 'failed', message },
      );
    }
    setStep('over');
  };
  return {
    outcomes,
    isRunning: step === 'running',
    isOver: step === 'over',
    run,
    stop: () => {
      isStopped.current = true;
    },
  };
}
