/** Returns a path of the guard on the host of an app. Proxies route all of them to the guard. */
export const ownPath = (name: string): string => `/.ostiary/${name}`;
