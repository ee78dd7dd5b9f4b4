export { type Database, openDatabase, schemaName } from './database.ts';
export { createKeptKeys, createReencryption } from './sealed-columns.ts';
