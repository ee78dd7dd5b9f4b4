export { Prisma, PrismaClient } from '../generated/client.ts';
export { isJoined, type JoiningDatabase, joiningTransactions } from './joined-transactions.ts';
