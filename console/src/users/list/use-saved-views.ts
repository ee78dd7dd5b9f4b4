import { useState } from 'react';
import { readPreference, storePreference } from '../../preferences/index.ts';
import { parseViews, type SavedView, viewOf } from './saved-views.ts';

/** Views of this browser in a tenant. */
export function useSavedViews(tenant: string): {
  views: readonly SavedView[];
  /** Stores a view, also over one of the same name. */
  save(view: SavedView): void;
  remove(name: string): void;
} {
  const key = `views.${tenant}` as const;
  const [views, setViews] = useState(() => parseViews(readPreference(key)));
  const store = (to: readonly SavedView[]) => {
    setViews([...to]);
    storePreference(key, to.length === 0 ? undefined : JSON.stringify(to));
  };
  const without = (name: string) => views.filter((one) => one.name !== name);
  return {
    views,
    save: ({ name, view }) => store([...without(name), { name, view: viewOf(view) }]),
    remove: (name) => store(without(name)),
  };
}
