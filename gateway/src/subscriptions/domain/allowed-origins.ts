/** Pages of which origins may open live connections. */
export interface AllowedOrigins {
  /** Whether a page of this origin may open a WebSocket. Programs that are no browser send no origin, and need none. */
  mayConnect(origin: string | undefined, tenant: string | undefined): Promise<boolean>;
  /** @param tenant undefined while it isn't known: then any tenant's origin will do */
  isRegistered(origin: string, tenant: string | undefined): Promise<boolean>;
}
