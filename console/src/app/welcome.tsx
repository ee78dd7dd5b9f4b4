import './app.css';
import type { ReactNode } from 'react';
import { useTranslations } from '../words/index.ts';
import { Doorway } from './doorway.tsx';

/** Frame of the pages before the sign-in. */
export function Welcome({ children }: { children: ReactNode }) {
  const t = useTranslations('common');
  return (
    <main className="welcome">
      <div className="brand">
        <Doorway /> {t('product')}
      </div>
      <div className="card">{children}</div>
    </main>
  );
}
