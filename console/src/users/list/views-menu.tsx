import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { ListSearch } from './list-search.ts';

const views = {
  everybody: {},
  inactive: { active: 'no', order: '-updatedAt' },
  newest: { order: '-createdAt', columns: 'name,userName,email,state,created' },
  changed: { order: '-updatedAt' },
  withoutEmail: { filter: 'not (emails pr)', columns: 'name,userName,state,changed,department' },
} as const satisfies Record<string, ListSearch>;

/** Predefined views, and the address of the current one for sharing. */
export function ViewsMenu({ onChoose }: { onChoose(view: ListSearch): void }) {
  const t = useTranslations('users.views');
  const words = useTranslations('common');
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(location.href).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <Menu
        label={t('title')}
        entries={[
          ...Object.entries(views).map(([id, view]) => ({
            id,
            label: t(id as keyof typeof views),
            onAction: () => {
              setCopied(false);
              onChoose(view);
            },
          })),
          { id: 'copy', label: t('copy'), onAction: copy },
        ]}
      >
        <Bookmark aria-hidden /> {t('title')}
      </Menu>
      <span role="status" className="soft">
        {isCopied && words('copied')}
      </span>
    </>
  );
}
