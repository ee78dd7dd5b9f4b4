export { type Connection, type Database, jsonOf, openDatabase, type Prisma, schemaName } from './database.ts';
export { createKeptKeys, createReencryption } from './sealed-columns.ts';
