/** Choices that are kept in the browser. They contain no token. Views are stored by tenant, without their search text. */
type Preference = 'theme' | 'language' | `views.${string}`;

const keyOf = (name: Preference): string => `ostiary-console.${name}`;

/** Returns the stored choice; undefined if there is none, or if the browser does not permit storage. */
export function readPreference(name: Preference): string | undefined {
  try {
    return localStorage.getItem(keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a choice. Undefined deletes it. */
export function storePreference(name: Preference, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), value);
  } catch {
    // Without storage, the choice is kept until the page is closed.
  }
}
