import type { Coding } from './coding.ts';

export interface ConsoleFile {
  /** Media type. */
  readonly type: string;
  /** SHA-256 of the content, base64url. */
  readonly digest: string;
  /** Codings in which the file is stored, besides the identity. */
  readonly codings: readonly Coding[];
}

/** The files of the console by name, relative to its address. */
export interface ConsoleFiles {
  find(name: string): ConsoleFile | undefined;
  read(name: string, coding: Coding | undefined): Promise<Buffer>;
}

/** The installation's settings for the console: `config.json` beside its pages. */
export interface ConsoleConfig {
  /** Prefix of all issuers, to which the tenant's id is appended. */
  issuerBase: string;
  graph: string;
  clientId: string;
  version: string;
  /** Tenants that the sign-in page offers. */
  demoTenants?: readonly string[];
}
