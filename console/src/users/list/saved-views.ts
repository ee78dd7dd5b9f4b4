import * as v from 'valibot';
import { type ListSearch, listSearch } from './list-search.ts';

/** Maximum number of views, and of characters of a name. */
export const maxViews = 20;
export const maxNameLength = 60;

const schema = v.array(v.object({ name: v.string(), view: listSearch }));

export interface SavedView {
  name: string;
  view: ListSearch;
}

/** Returns a view without empty values. The search text is omitted, because it usually names one user. */
export function viewOf({ q: _q, ...search }: ListSearch): ListSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  );
}

export const isSameView = (one: ListSearch, other: ListSearch): boolean =>
  JSON.stringify(Object.entries(viewOf(one)).toSorted()) ===
  JSON.stringify(Object.entries(viewOf(other)).toSorted());

/** Returns the stored views. A text that is not a list of views, also of a later release, gives none. */
export function parseViews(text: string | undefined): SavedView[] {
  try {
    const views = v.parse(schema, JSON.parse(text ?? '[]'));
    return views
      .slice(0, maxViews)
      .map(({ name, view }) => ({ name: name.slice(0, maxNameLength), view: viewOf(view) }));
  } catch {
    return [];
  }
}
