import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button, Dialog, Note, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type Exported, exportLog, type Format, maxExported, save } from './export.ts';
import type { LogReader } from './readers.ts';

type State =
  | { step: 'choosing' }
  | { step: 'reading'; count: number }
  | { step: 'done'; exported: Exported }
  | { step: 'failed'; message: string };

/** Exports the search result to a file. */
export function ExportDialog({ readers, onClose }: { readers: readonly LogReader[]; onClose(): void }) {
  const t = useTranslations('logs.export');
  const words = useTranslations('common');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const [format, setFormat] = useState<Format>('csv');
  const [state, setState] = useState<State>({ step: 'choosing' });
  const abort = useRef(new AbortController());
  useEffect(() => {
    const { current } = abort;
    return () => current.abort();
  }, []);
  const run = async () => {
    setState({ step: 'reading', count: 0 });
    try {
      const exported = await exportLog(readers, format, {
        signal: abort.current.signal,
        onProgress: (count) => setState({ step: 'reading', count }),
      });
      save(
        exported.blob,
        `${tenant}-log-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format}`,
      );
      setState({ step: 'done', exported });
    } catch (error) {
      if (!abort.current.signal.aborted)
        setState({ step: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Dialog title={t('title')} isOpen onClose={onClose}>
      <p>{t('lead', { most: maxExported })}</p>
      <Select
        label={t('format')}
        options={[
          { id: 'csv', label: t('csv') },
          { id: 'jsonl', label: t('jsonl') },
        ]}
        value={format}
        isDisabled={state.step === 'reading'}
        onChange={(value) => setFormat(value === 'jsonl' ? 'jsonl' : 'csv')}
      />
      <div role="status">
        {state.step === 'reading' && t('reading', { count: state.count })}
        {state.step === 'done' && <Done exported={state.exported} />}
        {state.step === 'failed' && <Note tone="bad">{t('failed', { message: state.message })}</Note>}
      </div>
      <div className="actions">
        <Button onPress={onClose}>{state.step === 'done' ? words('close') : words('cancel')}</Button>
        {state.step !== 'done' && (
          <Button kind="primary" isPending={state.step === 'reading'} onPress={() => void run()}>
            {t('write')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Done({ exported: { count, isCut, missing } }: { exported: Exported }) {
  const t = useTranslations('logs.export');
  const names = useTranslations('logs.names');
  const isWhole = !isCut && missing.length === 0;
  return (
    <Note tone={isWhole ? 'good' : 'warn'}>
      {t('done', { count })} {isCut && t('cut', { most: maxExported })}{' '}
      {missing.length > 0 &&
        t('missing', { logs: missing.map((log) => names(log as Parameters<typeof names>[0])).join(', ') })}
    </Note>
  );
}
