import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { PrismaPg } from '@prisma/adapter-pg';

export interface Account {
  id: string;
  tenant: string;
  name: string;
  balance: bigint;
  data: unknown;
  tags: string[];
  createdAt: Date;
}

/** The part of the generated client that the tests use; the client is generated when they run. */
export interface Client {
  account: {
    create(o: { data: Partial<Account> }): Promise<Account>;
    update(o: { where: { id: string }; data: object }): Promise<Account>;
    findMany(o?: object): Promise<Account[]>;
    findUnique(o: { where: { id: string } }): Promise<Account | null>;
    deleteMany(o: object): Promise<{ count: number }>;
    count(): Promise<number>;
  };
  $transaction<T>(work: (tx: Client) => Promise<T>): Promise<T>;
  $executeRawUnsafe(text: string): Promise<number>;
  $disconnect(): Promise<void>;
}

/** Generates the client of the fixture's schema. */
export async function generatedClient(): Promise<(adapter: PrismaPg) => Client> {
  const here = join(import.meta.dirname, '..');
  execFileSync(process.execPath, [join(here, '../../../scripts/prisma-generate.mjs')], { cwd: here });
  const generated = '../generated/client.ts';
  const { PrismaClient } = (await import(generated)) as {
    PrismaClient: new (o: { adapter: PrismaPg }) => Client;
  };
  return (adapter) => new PrismaClient({ adapter });
}

export const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
