/** Returns a path of the guard on the host of an app. Proxies route all of them to the guard. */
export const ownPath = (name: string): string => `/.ostiary/${name}`;

/** Reports whether a path is one of the guard, also for proxies that decode it or merge slashes before they route. */
export const isOwnPath = (path: string): boolean =>
  /^\/+\.ostiary(?:\/|$)/i.test(
    path.replace(/%([0-7][0-9a-f])/gi, (_text, code) => String.fromCharCode(Number.parseInt(code, 16))),
  );
