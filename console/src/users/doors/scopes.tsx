import { useState } from 'react';
import { useTranslations } from '../../words/index.ts';

const few = 6;

/** Shows scopes in the notation of the standards: the first ones, and the others on request. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations('doors');
  const [isOpen, setOpen] = useState(scopes.length <= few + 1);
  if (scopes.length === 0) return null;
  return (
    <div className="chips">
      {(isOpen ? scopes : scopes.slice(0, few)).map((scope) => (
        <code key={scope} className="chip">
          {scope}
        </code>
      ))}
      {!isOpen && (
        <button type="button" className="chip-more" onClick={() => setOpen(true)}>
          {t('moreScopes', { count: scopes.length - few })}
        </button>
      )}
    </div>
  );
}
