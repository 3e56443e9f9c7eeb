import { createServer, IncomingMessage, STATUS_CODES } from 'node:http';
import { buildConnector, Pool } from 'undici';

/**
 * The fastest proxy without checks or counts that we could build from Node's own server and a well-maintained client:
 * undici's first handler interface (the newer one parses each response's headers twice), header names looked up, each
 * response in one write, and one shared read buffer for all connections. With SHORT_CUTS, responses are a single string
 * under an undocumented property, and requests without a body are not read to their end.
 */
const shortCuts = process.env.SHORT_CUTS === 'yes';
const justRead = Buffer.allocUnsafeSlow(64 * 1024);

function connect(target, done) {
  let opened;
  const callback = (length) => opened.push(Buffer.from(justRead.subarray(0, length)));
  buildConnector({ timeout: 5000, onread: { buffer: justRead, callback } })(target, (error, socket) => {
    opened = socket;
    done(error, socket);
  });
}

const pool = new Pool(process.env.PRODUCT_URL, { connections: 256, pipelining: 1, connect });
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const known = new Map();

function passes(name) {
  let isKept = known.get(name);
  if (isKept === undefined) known.set(name, (isKept = !ofConnection.has(name.toLowerCase())));
  return isKept;
}

class LeftRequest extends IncomingMessage {
  _dump() {
    if (!this.complete || this.readableLength > 0) super._dump();
  }
}

function sendAsText(res, status, head, text) {
  let header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < head.length; index += 2) header += `${head[index]}: ${head[index + 1]}\r\n`;
  res.statusCode = status;
  res._header = `${header}Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${text}`;
  res.end();
}

createServer(shortCuts ? { IncomingMessage: LeftRequest } : {}, (req, res) => {
  const { method, url: path, rawHeaders } = req;
  const headers = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (passes(rawHeaders[index])) headers.push(rawHeaders[index], rawHeaders[index + 1]);
  }
  const head = [];
  let status = 200;
  let text = '';
  pool.dispatch(
    { method, path, headers, body: method === 'GET' ? null : req },
    {
      onConnect: () => {},
      onHeaders: (code, raw) => {
        status = code;
        for (let index = 0; index < raw.length; index += 2) {
          const name = raw[index].toString('latin1');
          if (passes(name)) head.push(name, raw[index + 1].toString('latin1'));
        }
        return true;
      },
      onData: (chunk) => {
        text += chunk.toString('latin1');
        return true;
      },
      onComplete: () => {
        if (shortCuts) return sendAsText(res, status, head, text);
        res.writeHead(status, head);
        return res.end(text, 'latin1');
      },
      onError: () => void res.destroy(),
    },
  );
}).listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
