import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const message = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
};
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const ready = message('Z', Buffer.from('I'));

const textType = 25;
const int4Type = 23;

/** The response to a simple query: one column, one row. */
function oneValue(name: string, type: number, value: string): Buffer {
  const column = Buffer.concat([
    Buffer.from(`${name}\0`),
    Buffer.alloc(6),
    Buffer.from([0, 0, 0, type]),
    Buffer.alloc(8),
  ]);
  const text = Buffer.from(value);
  const size = Buffer.alloc(4);
  size.writeInt32BE(text.length);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), size, text])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
}

/**
 * Speaks just enough of PostgreSQL's protocol for a starting process. `pidOf`: the backend that serves a connection's
 * statement. Stops when the test ends.
 */
export async function startFakeServer(version: string, pidOf: (connection: number) => number): Promise<string> {
  let connections = 0;
  const server = createServer((socket: Socket) => {
    connections += 1;
    const connection = connections;
    let begun = false;
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (!begun) {
        begun = true;
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
        return;
      }
      if (data[0] !== 'Q'.charCodeAt(0)) return;
      const asksVersion = data.includes('server_version');
      const pid = () => oneValue('pid', int4Type, String(pidOf(connection)));
      socket.write(asksVersion ? oneValue('server_version', textType, version) : pid());
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `postgres://octroi:none@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/octroi`;
}
