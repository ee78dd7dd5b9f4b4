import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';

/** A value with a copy button. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  const t = useTranslations('common');
  const [isCopied, setCopied] = useState(false);
  return (
    <span className="secret">
      <code {...(label === undefined ? {} : { 'aria-label': label })}>{value}</code>
      <Button
        kind="plain"
        aria-label={isCopied ? t('copied') : t('copy')}
        onPress={() => {
          navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          );
        }}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </Button>
    </span>
  );
}
