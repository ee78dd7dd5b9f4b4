import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/index.ts';
import { Menu } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { ListSearch } from './list-search.ts';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { isSameView, maxViews, viewOf } from './saved-views.ts';
import { useSavedViews } from './use-saved-views.ts';

const views = {
  everybody: {},
  inactive: { active: 'no', order: '-updatedAt' },
  newest: { order: '-createdAt', columns: 'name,userName,email,state,created' },
  changed: { order: '-updatedAt' },
  withoutEmail: { filter: 'not (emails pr)', columns: 'name,userName,state,changed,department' },
} as const satisfies Record<string, ListSearch>;

/** Predefined and saved views, and the address of the current one for sharing. */
export function ViewsMenu({ search, onChoose }: { search: ListSearch; onChoose(view: ListSearch): void }) {
  const t = useTranslations('users.views');
  const { tenant } = useSession();
  const saved = useSavedViews(tenant);
  const [isSaving, setSaving] = useState(false);
  const current = saved.views.find(({ view }) => isSameView(view, search));
  const isSavable = !current && Object.keys(viewOf(search)).length > 0 && saved.views.length < maxViews;
  const words = useTranslations('common');
  const [isCopied, setCopied] = useState(false);
  const choose = (view: ListSearch) => {
    setCopied(false);
    onChoose(view);
  };
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
            onAction: () => choose(view),
          })),
          ...saved.views.map(({ name, view }) => ({
            id: `saved-${name}`,
            label: name,
            onAction: () => choose(view),
          })),
          ...(isSavable ? [{ id: 'save', label: t('save'), onAction: () => setSaving(true) }] : []),
          ...(current
            ? [
                {
                  id: 'remove',
                  label: t('remove', { name: current.name }),
                  onAction: () => saved.remove(current.name),
                },
              ]
            : []),
          { id: 'copy', label: t('copy'), onAction: copy },
        ]}
      >
        <Bookmark aria-hidden /> {t('title')}
      </Menu>
      {isSaving && (
        <SaveViewDialog
          onSave={(name) => saved.save({ name, view: search })}
          onClose={() => setSaving(false)}
        />
      )}
      <span role="status" className="soft">
        {isCopied && words('copied')}
      </span>
    </>
  );
}
