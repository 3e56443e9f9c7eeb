import { createServer, connect as connectTo, type Socket } from 'node:net';
import { listen } from '#gateway/http/server.ts';

/** A TCP proxy between a gateway and PostgreSQL that can drop notifications, and break or hold up connections. */
export interface DatabaseLink {
  databaseUrl: string;
  /** Drops every notification from now on; query results still pass. */
  loseNotifications: () => void;
  /** Leaves the next connection without any answer until it is released. */
  holdNext: () => HeldConnection;
  /** Breaks every connection once; running statements may or may not have been executed. */
  cut: () => void;
  /** Breaks every connection, and refuses new ones until `open`. */
  shut: () => void;
  open: () => void;
  connections: () => number;
  close: () => Promise<void>;
}

export interface HeldConnection {
  hasCome: () => boolean;
  release: () => void;
}

const notification = 'A'.charCodeAt(0);

export async function openDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let dropNotifications = false;
  let isOpen = true;
  const held: { release?: () => void }[] = [];
  const pass = (client: Socket): void => {
    const database = connectTo(Number(port), hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database);
    // A message of the server is one letter for its type, then its length (which includes itself), then its content.
    let buffered = Buffer.alloc(0);
    database.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 5 && buffered.length > buffered.readUInt32BE(1)) {
        const length = buffered.readUInt32BE(1) + 1;
        const message = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        if (!dropNotifications || message[0] !== notification) client.write(message);
      }
    });
  };
  const server = createServer((client) => {
    client.on('error', () => {});
    sockets.add(client);
    const next = held.shift();
    if (!isOpen) client.destroy();
    else if (next === undefined) pass(client);
    else next.release = () => pass(client);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const target = new URL(databaseUrl);
  target.port = new URL(await listen(server, 0, '127.0.0.1')).port;
  return {
    databaseUrl: target.href,
    loseNotifications: () => {
      dropNotifications = true;
    },
    holdNext: () => {
      const next: { release?: () => void } = {};
      held.push(next);
      return { hasCome: () => next.release !== undefined, release: () => next.release?.() };
    },
    cut,
    shut: () => {
      isOpen = false;
      cut();
    },
    open: () => {
      isOpen = true;
    },
    connections: () => sockets.size,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
