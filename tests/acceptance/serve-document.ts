import { once } from 'node:events';
import { createServer } from 'node:http';

interface DocumentServer {
  url: string;
  /** Undefined: there is none. */
  document: object | undefined;
  close: () => Promise<void>;
}

/** Gives one OpenAPI document for every product, as a gateway does. */
export async function serveDocument(document: object | undefined): Promise<DocumentServer> {
  const http = createServer((_request, response) => {
    response.statusCode = server.document === undefined ? 502 : 200;
    response.end(JSON.stringify(server.document ?? {}));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const server: DocumentServer = {
    url: `http://127.0.0.1:${address.port}`,
    document,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}
