import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type ConnectionOptions, connect } from 'node:tls';

/**
 * Every command that a Redis carries out, as MONITOR tells of it. On a socket of its own: ioredis takes the first commands for answers of
 * another kind when they come together with MONITOR's own.
 * @param onCommand the command's words, those of scripts too @param tls without it, none is spoken
 * @returns the function that ends it; resolves when nothing that is done from now on is missed
 */
export async function monitorRedis(
  url: string,
  onCommand: (words: string[]) => void,
  tls?: ConnectionOptions,
): Promise<() => void> {
  const { hostname, port, username, password } = new URL(url);
  const socket: Socket = tls
    ? connect(Number(port), hostname, tls)
    : createConnection(Number(port), hostname);
  const lines = createInterface({ input: socket.setEncoding('latin1') });
  const began = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    let answers = password === '' ? 1 : 2;
    lines.on('line', (line) => {
      if (line.startsWith('-')) reject(new Error(line));
      else if (line === '+OK') {
        answers -= 1;
        if (answers === 0) resolve();
      } else if (/^\+\d+\.\d+ \[/.test(line)) onCommand(wordsOf(line));
    });
  });
  const login =
    password === ''
      ? ''
      : `AUTH ${username === '' ? 'default' : username} ${decodeURIComponent(password)}\r\n`;
  socket.write(`${login}MONITOR\r\n`);
  await began;
  return () => void socket.destroy();
}

/** `+1700000000.123456 [0 127.0.0.1:6379] "set" "a\"b" "\x00"` */
function wordsOf(line: string): string[] {
  return [...line.slice(line.indexOf(']')).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replace(/\\(x([0-9a-f]{2})|.)/g, (_all, one: string, hex: string | undefined) =>
      hex === undefined ? (escapes[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };
