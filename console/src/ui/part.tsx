import type { ReactNode } from 'react';
import { useMay } from '../session/index.ts';
import { useTranslations } from '../words/index.ts';
import { Badge } from './note.tsx';
import { Card } from './page.tsx';

/** A part of a page that may be empty, on its way, missing, or not open to the reader; each is said. */
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
  /** Any of these lets somebody see it. */
  scopes: readonly string[];
  isLoading: boolean;
  /** A service that knows it doesn't answer, which the page says at its top. */
  isMissing?: boolean;
  isEmpty: boolean;
  /** What is said when there is nothing. */
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
