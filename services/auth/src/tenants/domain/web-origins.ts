/** Where web apps of tenants live: what a browser calls their origin (RFC 6454). */
export interface WebOrigins {
  /**
   * Whether a page of this origin may use the tenant's endpoints: one that the tenant has registered, or where a client of the
   * tenant is redirected to.
   * @throws ServiceUnavailable when nobody knows the tenant right now
   */
  isRegistered(tenant: string, origin: string): Promise<boolean>;
  /**
   * The origins whose pages may use the graph, with their active tenants: those that the tenant has registered, and those of redirect URIs of
   * its apps in the browser.
   */
  registered(): Promise<Record<string, string[]>>;
}
