import { createServer } from 'node:http';

/** The minimum that Node's own server can do for a call. */
createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}')).listen({
  port: Number(process.env.PORT),
  host: '127.0.0.1',
  backlog: 4096,
});
