import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';

const few = 5;

/** Shows the first entries of a list, and the others on request. */
export function Rows({ children, more }: { children: readonly ReactNode[]; more?: ReactNode }) {
  const t = useTranslations('doors');
  const [isOpen, setOpen] = useState(false);
  const isShort = isOpen || children.length <= few + 1;
  return (
    <>
      <ul className="rows">{isShort ? children : children.slice(0, few)}</ul>
      {isShort ? (
        more
      ) : (
        <div>
          <Button onPress={() => setOpen(true)}>{t('showAll', { count: children.length })}</Button>
        </div>
      )}
    </>
  );
}
