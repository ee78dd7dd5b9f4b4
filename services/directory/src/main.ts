import { PrismaClient } from './data/generated/client.ts';
export const x: typeof PrismaClient = PrismaClient;
