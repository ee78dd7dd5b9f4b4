import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Links, type RemoteLink } from './links.ts';

const idle = 'Z\0\0\0\x05I';
const inTransaction = 'Z\0\0\0\x05T';

const links = new Links();
let link: RemoteLink;
let second: RemoteLink;
const ports = { first: 0, second: 0 };
let database: Server;
/** Bytes that the database received. */
let heard: string;

/** Answers like PostgreSQL: the statement, and whether a transaction is open after it. */
beforeAll(async () => {
  database = createServer((socket) => {
    let open = false;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const statement = bytes.toString('latin1');
      heard += `${statement};`;
      open = statement === 'BEGIN' || (open && statement !== 'COMMIT');
      socket.write(`done ${statement}${open ? inTransaction : idle}`, 'latin1');
    });
  });
  await once(database.listen(0, '127.0.0.1'), 'listening');
  links.listensAt('postgres', (database.address() as AddressInfo).port);
  ports.first = await links.make('directory', 'postgres');
  ports.second = await links.make('directory-2', 'postgres');
  [link, second] = links.all as [RemoteLink, RemoteLink];
});

const connections: Socket[] = [];

afterEach(() => {
  for (const socket of connections.splice(0)) socket.destroy();
});

afterAll(async () => {
  await links.close();
  database.close();
});

/** Opens a connection through the link that sends one statement after the other. */
async function session(port = ports.first) {
  heard = '';
  const socket: Socket = connect(port, '127.0.0.1');
  connections.push(socket);
  await once(socket, 'connect');
  // A reset may end the connection while a caller waits on it.
  socket.on('error', () => undefined);
  return {
    /** Sends a statement and returns the answer. */
    async say(statement: string): Promise<string> {
      socket.write(statement);
      const [bytes] = await once(socket, 'data');
      return String(bytes).slice(0, -idle.length);
    },
    /** Reports whether a statement stays without an answer. */
    async isInVain(statement: string): Promise<boolean> {
      socket.write(statement);
      const answer = new AbortController();
      const answered = once(socket, 'data', { signal: answer.signal }).then(
        () => false,
        () => true,
      );
      setTimeout(() => answer.abort(), 150);
      return answered;
    },
    over: new Promise<void>((over) => socket.once('close', () => over())),
    isOver: () => socket.destroyed,
  };
}

/** Sets a trap; resolves when it has triggered. */
const trap = (o: { pattern: string[]; arrives: boolean; committed?: boolean }): Promise<void> =>
  new Promise((snap) => link.trap({ ...o, direction: 'asked', snap }));

test('A statement that a trap waits for does not arrive, and nothing after it does.', async () => {
  const caught = trap({ pattern: ['user.de'], arrives: false });
  const { say, isInVain } = await session();
  expect(await say('BEGIN')).toBe('done BEGIN');
  expect(await isInVain('INSERT user.deleted')).toBe(true);
  await caught;
  expect(await isInVain('COMMIT')).toBe(true);
  expect(heard).toBe('BEGIN;');
});

test('A statement outside a transaction is committed and its response is withheld.', async () => {
  const caught = trap({ pattern: ['user.deactivated'], arrives: true, committed: true });
  const { say, isInVain } = await session();
  expect(await say('SELECT 1')).toBe('done SELECT 1');
  expect(await isInVain('INSERT user.deactivated')).toBe(true);
  await caught;
  expect(heard).toContain('user.deactivated');
});

test('In a transaction, the response to the COMMIT is withheld.', async () => {
  const caught = trap({ pattern: ['user.deleted'], arrives: true, committed: true });
  const { say, isInVain } = await session();
  await say('BEGIN');
  expect(await say('INSERT user.deleted')).toBe('done INSERT user.deleted');
  expect(await isInVain('COMMIT')).toBe(true);
  await caught;
  expect(heard).toBe('BEGIN;INSERT user.deleted;COMMIT;');
});

test('Of two connections that wait for the same moment, only the first is caught, and removing the trap lets both reconnect.', async () => {
  const caught: string[] = [];
  const both = [link, second];
  for (const one of both) {
    one.trap({
      pattern: ['user.de'],
      direction: 'asked',
      arrives: true,
      committed: true,
      snap: () => caught.push(one.from),
    });
  }
  const [one, other] = [await session(), await session(ports.second)];
  await other.say('BEGIN');
  await other.say('INSERT user.deleted');
  expect(await one.isInVain('INSERT user.deactivated')).toBe(true);
  expect(await other.say('COMMIT')).toBe('done COMMIT');
  expect(caught).toEqual(['directory']);
  expect(one.isOver()).toBe(false);
  link.trap(undefined);
  await one.over;
});

test('A cut link is silent until it is restored.', async () => {
  const { say, isInVain } = await session();
  // A connection that is not established when the link is cut must be opened again.
  expect(await say('SELECT 0')).toBe('done SELECT 0');
  link.cut('postgres');
  await sleep(20);
  expect(await isInVain('SELECT 1')).toBe(true);
  link.mend('postgres', false);
  expect(await say('SELECT 2')).toContain('done SELECT');
});
