/** Origins whose pages may open live connections. */
export interface AllowedOrigins {
  /** Reports whether a page may open a WebSocket. Programs other than browsers send no origin and are accepted. */
  mayConnect(origin: string | undefined, tenant: string | undefined): Promise<boolean>;
  /** @param tenant undefined while it is unknown: then an origin of any tenant is accepted */
  isRegistered(origin: string, tenant: string | undefined): Promise<boolean>;
}
