import type { ReactNode } from 'react';
import { useMay } from '../session/index.ts';
import { useTranslations } from '../words/index.ts';
import { Badge } from './note.tsx';
import { Card } from './page.tsx';

/** A part of a page, with states for empty, loading, unavailable and forbidden content. */
export function Part({
  title,
  count,
  scopes,
  isLoading,
  isMissing = false,
  isEmpty,
  empty,
  actions,
  children,
}: {
  title: string;
  count?: number | undefined;
  /** Each of these scopes permits reading the part. */
  scopes: readonly string[];
  isLoading: boolean;
  /** The service is unavailable; the top of the page shows the failure. */
  isMissing?: boolean;
  isEmpty: boolean;
  /** Text for an empty part. */
  empty: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const t = useTranslations('common');
  const may = useMay(...scopes);
  return (
    <Card
      title={title}
      actions={
        <>
          {may && count !== undefined && count > 0 && <Badge>{count}</Badge>}
          {actions}
        </>
      }
    >
      {!may && <p className="soft">{t('needs', { scopes: scopes.join(', ') })}</p>}
      {may && children}
      {may && isEmpty && (
        <p className="soft">{isLoading ? t('loading') : isMissing ? t('unknown') : empty}</p>
      )}
    </Card>
  );
}
