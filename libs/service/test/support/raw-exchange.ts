import { connect } from 'node:net';

/** Sends exactly these lines, and returns the response when the server has answered or closed the connection. */
export function rawExchange(port: number, lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
    let text = '';
    socket.setTimeout(3_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}
