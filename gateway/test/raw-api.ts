import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { listen } from '#gateway/http/server.ts';
import type { UpstreamRequest } from '#gateway/upstream/forwarding.ts';
import type { InsideResponse } from '#gateway/upstream/inside.ts';

/** An API whose every byte a test decides, for the conformance tests: behind a raw socket, or inside the gateway's process. */

/** Texts are bytes in Latin-1. */
export interface RawResponse {
  status: number;
  /** A flat list, with the headers that frame the body. */
  headers?: string[];
  /** Parts of the body. After each but the last the API waits until the test says `goOn`. */
  parts?: string[];
  /** The API breaks off where the last part would follow. */
  breaksOff?: boolean;
  /** Sent before the response; only a raw socket can. */
  interim?: string;
}

export interface ReceivedCall {
  method: string;
  target: string;
  /** `Name: value` each. */
  headers: string[];
  body: string;
}

/** What the API sends next, and what it got: of both kinds, because a test runs one of them at a time. */
export const rawApi = {
  response: { status: 200 } as RawResponse | string,
  received: [] as ReceivedCall[],
  connections: 0,
  goOn: (): void => {},
};

const untilTold = (): Promise<void> => new Promise((resolve) => (rawApi.goOn = resolve));

/** Inside the gateway's process. */
export async function mount() {
  return { respond: respondInside, close: async () => {} };
}

async function respondInside({ method, path, headers, body }: UpstreamRequest): Promise<InsideResponse> {
  const { response } = rawApi;
  if (typeof response === 'string') throw new Error('an API inside the gateway sends no bytes');
  const received = body instanceof Readable ? await buffer(body) : body;
  rawApi.received.push({
    method,
    target: path,
    headers: headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : [])),
    body: received?.toString('latin1') ?? '',
  });
  const { status, headers: sent = [], parts = [], breaksOff = false } = response;
  const whole = Buffer.from(parts.join(''), 'latin1');
  return { status, headers: sent, body: parts.length < 2 ? whole : Readable.from(inParts(parts, breaksOff)) };
}

async function* inParts(parts: readonly string[], breaksOff: boolean): AsyncGenerator<Buffer> {
  for (const [at, part] of parts.entries()) {
    if (at > 0) await untilTold();
    if (breaksOff && at === parts.length - 1) throw new Error('the API breaks off');
    yield Buffer.from(part, 'latin1');
  }
}

/** Behind a raw socket. */
export async function startRawApi(): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    rawApi.connections += 1;
    let text = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const call = readCall(text);
      if (call === undefined) return;
      text = '';
      rawApi.received.push(call);
      void respond(socket, rawApi.response);
    });
  });
  const url = await listen(server, 0, '127.0.0.1');
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url, close };
}

/** A request once it is complete. */
function readCall(text: string): ReceivedCall | undefined {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...headers] = text.slice(0, end).split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const body = text.slice(end + 4);
  const length = Number(headers.find((each) => /^content-length:/i.test(each))?.slice(15) ?? 0);
  const isChunked = headers.some((each) => /^transfer-encoding:/i.test(each));
  if (end === -1) return undefined;
  const { body: read, whole } = isChunked ? decodeChunks(body) : { body, whole: body.length >= length };
  return whole ? { method, target, headers, body: read } : undefined;
}

async function respond(socket: Socket, response: RawResponse | string): Promise<void> {
  if (typeof response === 'string') {
    socket.write(response, 'latin1');
    // Its end is that of the connection.
    if (!/content-length|chunked/i.test(response)) socket.end();
    return;
  }
  const { status, headers = [], parts = [], breaksOff = false, interim = '' } = response;
  const isChunked = headers.some((each) => each === 'chunked');
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}\r\n`] : []));
  let next = `${interim}HTTP/1.1 ${status} Of its own\r\n${lines.join('')}\r\n`;
  for (const [at, part] of parts.entries()) {
    if (at > 0) {
      socket.write(next, 'latin1');
      next = '';
      await untilTold();
    }
    if (breaksOff && at === parts.length - 1) return void socket.end();
    next += isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part;
  }
  return void socket.write(next + (isChunked ? '0\r\n\r\n' : ''), 'latin1');
}

export function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** `whole`: the last chunk is there. */
export function decodeChunks(text: string): { body: string; whole: boolean } {
  let body = '';
  for (let left = text; ;) {
    const [line, after] = splitOnce(left, '\r\n');
    const length = Number.parseInt(line, 16);
    if (after === undefined || Number.isNaN(length)) return { body, whole: false };
    if (length === 0) return { body, whole: after.endsWith('\r\n') };
    body += after.slice(0, length);
    left = after.slice(length + 2);
  }
}
