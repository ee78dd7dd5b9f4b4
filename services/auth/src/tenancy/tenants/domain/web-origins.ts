/** Origins (RFC 6454) of web apps of tenants. */
export interface WebOrigins {
  /**
   * Reports whether pages of this origin may use the tenant's endpoints: the tenant has registered it, or a client has
   * a redirect URI there.
   * @throws ServiceUnavailable when the tenant cannot be looked up
   */
  isRegistered(tenant: string, origin: string): Promise<boolean>;
  /**
   * Returns the origins whose pages may use the graph, with their active tenants: registered origins, and those of
   * redirect URIs of browser apps.
   */
  registered(): Promise<Record<string, string[]>>;
}
