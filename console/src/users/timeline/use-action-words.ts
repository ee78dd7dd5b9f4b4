import { useCallback } from 'react';
import type { Words } from '../../words/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { Entry } from './entries.ts';

/** Returns a description of an event; without one, the event name. */
export function useActionWords(): (entry: Pick<Entry, 'action' | 'log'>) => string {
  const t = useTranslations('timeline');
  return useCallback(
    ({ action, log }) => {
      if (log === 'provisioning') return t('request', { request: action });
      const key = action.replace('.', '_') as keyof Words['timeline']['actions'];
      return t.has(`actions.${key}`) ? t(`actions.${key}`) : action;
    },
    [t],
  );
}
