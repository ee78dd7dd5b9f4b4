import * as v from 'valibot';

const schema = v.object({
  /** Prefix of issuer identifiers; the tenant id follows. */
  issuerBase: v.string(),
  graph: v.string(),
  clientId: v.string(),
  version: v.string(),
  /** Tenants in the chooser of a demo installation, where they are public. */
  demoTenants: v.optional(v.array(v.string()), []),
});

/** Configuration of the installation: `config.json` beside the console. */
export type Configuration = v.InferOutput<typeof schema>;

/** Base path of the console, with a trailing slash. */
export const base: string = import.meta.env.BASE_URL;

/** @throws Error when the file is missing or invalid */
export async function readConfiguration(): Promise<Configuration> {
  const response = await fetch(`${base}config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return v.parse(schema, await response.json());
}
