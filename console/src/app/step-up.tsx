import { useState } from 'react';
import type { StepUpDemand } from '../graph/index.ts';
import { type Session, stepUp } from '../session/index.ts';
import { Button, Dialog, Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

/** An operation that requires a stronger or more recent sign-in. */
export interface WaitingOperation {
  demand: StepUpDemand;
  /** @param confirmed whether the operation is retried */
  answer(confirmed: boolean): void;
}

/** Explains the required sign-in and starts it. */
export function StepUp({
  session,
  waiting,
  onClose,
}: {
  session: Session;
  waiting: WaitingOperation;
  onClose(): void;
}) {
  const t = useTranslations('stepUp');
  const words = useTranslations('common');
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState<AbortController>();
  const end = (confirmed: boolean) => {
    attempt?.abort();
    waiting.answer(confirmed);
    onClose();
  };
  const confirm = async () => {
    attempt?.abort();
    const now = new AbortController();
    setAttempt(now);
    setProblem(undefined);
    const { acrValues, maxAge } = waiting.demand;
    const demand = {
      ...(acrValues === undefined ? {} : { acrValues: [acrValues].flat().join(' ') }),
      ...(maxAge === undefined ? {} : { maxAge }),
    };
    try {
      await stepUp(session, demand, now.signal);
      end(true);
    } catch (error) {
      if (now.signal.aborted) return;
      setAttempt(undefined);
      setProblem(t('failed', { message: error instanceof Error ? error.message : '' }));
    }
  };
  return (
    <Dialog title={t('title')} isOpen onClose={() => end(false)}>
      <p>{waiting.demand.acrValues === undefined ? t('recent') : t('stronger')}</p>
      {attempt && <Note>{t('waiting')}</Note>}
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
      <div className="actions">
        <Button onPress={() => end(false)}>{words('cancel')}</Button>
        <Button kind="primary" onPress={() => void confirm()}>
          {attempt ? t('again') : t('confirm')}
        </Button>
      </div>
    </Dialog>
  );
}
