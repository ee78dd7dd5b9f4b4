export { Prisma, PrismaClient } from '../generated/client.ts';
export { migrations, tables } from '../generated/migrations.ts';
export { isJoined, type JoiningDatabase, joiningTransactions } from './joined-transactions.ts';
