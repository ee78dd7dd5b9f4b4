import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';

/** Text for a file or a terminal, with a copy button. */
export function Code({ label, text }: { label: string; text: string }) {
  const t = useTranslations('common');
  const [isCopied, setCopied] = useState(false);
  return (
    <figure className="code" aria-label={label}>
      <figcaption>
        <span>{label}</span>
        <Button
          kind="plain"
          onPress={() => {
            navigator.clipboard.writeText(text).then(
              () => setCopied(true),
              () => setCopied(false),
            );
          }}
        >
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} {isCopied ? t('copied') : t('copy')}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
