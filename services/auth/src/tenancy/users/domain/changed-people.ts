export interface UserKey {
  tenant: string;
  id: string;
}

/** Notifies every process of users that the directory changed, so that caches reload them. */
export interface ChangedUsers {
  /**
   * Announces users after the commit, in this process immediately. Never throws: a process without the notification
   * reloads when its cache entry expires.
   */
  announce(people: readonly UserKey[]): Promise<void>;
  /**
   * Calls `forget` for users that this and other processes announce, and without a user when announcements may have
   * been missed. Resolves to the function that stops it.
   */
  follow(forget: (person?: UserKey) => void): Promise<() => Promise<void>>;
}
