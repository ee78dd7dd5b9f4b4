import * as v from 'valibot';

const schema = v.object({
  /** Followed by the tenant it is a tenant's issuer. */
  issuerBase: v.string(),
  /** Address of the graph. */
  graph: v.string(),
  clientId: v.string(),
  version: v.string(),
  /** Tenants to choose from, where everybody may know them. */
  demoTenants: v.optional(v.array(v.string()), []),
});

/** Where the console is installed: `config.json` beside it. */
export type Configuration = v.InferOutput<typeof schema>;

/** The console's own address, with a slash at the end. */
export const base: string = import.meta.env.BASE_URL;

/** @throws Error when the file isn't there, or isn't one */
export async function readConfiguration(): Promise<Configuration> {
  const response = await fetch(`${base}config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return v.parse(schema, await response.json());
}
