export {
  type Connection,
  type Database,
  jsonOf,
  migrations,
  openDatabase,
  type Prisma,
  type PrismaClient,
  schemaName,
  tables,
} from './database.ts';
export { createKeptKeys, createReencryption } from './sealed-columns.ts';
