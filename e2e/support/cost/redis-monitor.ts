import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type ConnectionOptions, connect } from 'node:tls';

/**
 * Reports every command of a Redis by MONITOR, on a separate socket: ioredis misinterprets the first commands when they
 * arrive together with the answer to MONITOR.
 * @param onCommand receives the words of each command, including those in scripts
 * @param tls options; without them the connection is unencrypted
 * @returns the function that ends the monitoring; resolves when every later command is reported
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
