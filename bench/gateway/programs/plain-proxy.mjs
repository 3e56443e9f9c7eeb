import { createServer } from 'node:http';
import { Pool } from 'undici';

/** The fastest proxy without checks or counts that Node's own server and a well-kept client make: undici's dispatch, nothing in between. */
const pool = new Pool(process.env.PRODUCT_URL, { connections: 256, pipelining: 1 });
const isOfConnection = (name) => /^(?:connection|keep-alive|transfer-encoding)$/i.test(name);

createServer((req, res) => {
  const headers = req.rawHeaders.filter((_part, index) => !isOfConnection(req.rawHeaders[index - (index % 2)] ?? ''));
  pool.dispatch(
    { method: req.method, path: req.url, headers, body: req.method === 'GET' ? null : req },
    {
      onRequestStart: () => {},
      onResponseStart: (controller, status) => {
        const raw = controller.rawHeaders.map(String);
        res.writeHead(
          status,
          raw.filter((_part, index) => !isOfConnection(raw[index - (index % 2)] ?? '')),
        );
      },
      onResponseData: (_controller, chunk) => void res.write(chunk),
      onResponseEnd: () => void res.end(),
      onResponseError: () => void res.destroy(),
    },
  );
}).listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
