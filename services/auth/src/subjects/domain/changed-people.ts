export interface PersonKey {
  tenant: string;
  id: string;
}

/** Tells every process whom the directory has changed, so that what is remembered of them is read anew. */
export interface ChangedPeople {
  /** After the commit; this process at once. Never throws: who isn't reached reads anew when what is remembered has become too old. */
  announce(people: readonly PersonKey[]): Promise<void>;
  /**
   * Follows what this and other processes announce. Without a person: announcements may have been missed.
   * Resolves to the function that stops it.
   */
  follow(forget: (person?: PersonKey) => void): Promise<() => Promise<void>>;
}
