import type { Coding } from './coding.ts';

/** What is known of a file that browsers get. */
export interface ConsoleFile {
  /** Its media type. */
  readonly type: string;
  /** Of its content: SHA-256, base64url. */
  readonly digest: string;
  /** In which it is kept, besides as it is. */
  readonly codings: readonly Coding[];
}

/** The files of the console, by their names below its address. */
export interface ConsoleFiles {
  find(name: string): ConsoleFile | undefined;
  /** The content of a file that was found. */
  read(name: string, coding: Coding | undefined): Promise<Buffer>;
}

/** What the console has to know of the installation it is to administer: `config.json` beside its pages. */
export interface ConsoleConfig {
  /** What the issuers of all tenants begin with; the tenant's id is the rest. */
  issuerBase: string;
  graph: string;
  clientId: string;
  version: string;
  /** Tenants that it offers to sign in to. */
  demoTenants?: readonly string[];
}
