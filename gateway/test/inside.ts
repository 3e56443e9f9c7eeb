import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamRequest } from '#gateway/upstream/forwarding.ts';
import type { InsideCall } from '#gateway/upstream/inside.ts';
import { respondByPath } from './product.ts';

const failing = (message: string): Readable =>
  new Readable({
    read() {
      this.destroy(new Error(message));
    },
  });

let aborted = 0;

let sendSurplus: () => void = () => {};

/** More than the declared length: the rest comes once `/v1/send_surplus` was called. */
async function* surplus(): AsyncGenerator<string> {
  yield '12345';
  await new Promise<void>((resolve) => (sendSurplus = resolve));
  yield 'HTTP/1.1 200 OK';
}

async function* idle(): AsyncGenerator<string> {
  yield 'the beginning';
  await new Promise(() => {});
}

/** What only a product inside the gateway's process can respond. */
const behaviours: Record<string, (call: InsideCall) => unknown> = {
  '/v1/odd': () => ({ status: 200, headers: ['X-A', 'a\r\nX-B: c'], body: '{}' }),
  '/v1/odd_name': () => ({ status: 200, headers: ['X A', 'a'], body: '{}' }),
  '/v1/odd_head': () => ({ status: 200, headers: ['X-A'], body: '{}' }),
  '/v1/odd_list': () => ({ status: 200, headers: { 'X-A': 'a' }, body: '{}' }),
  '/v1/odd_stream': () => ({ status: 200, headers: ['X-A', 'a\nX-B: c'], body: failing('unread') }),
  '/v1/unwritable': () => ({ status: 200, headers: [], body: 42 }),
  '/v1/unwritable_part': () => ({ status: 200, headers: [], body: Readable.from([{}]) }),
  '/v1/nothing': () => {},
  '/v1/too_long': () => ({ status: 200, headers: ['Content-Length', '5'], body: Readable.from(['12345', '6789']) }),
  '/v1/too_short': () => ({ status: 200, headers: ['content-length', '50'], body: Readable.from(['12345']) }),
  '/v1/two_lengths': () => ({
    status: 200,
    headers: ['Content-Length', '5', 'Content-Length', '6'],
    body: Readable.from(['12345']),
  }),
  '/v1/idle': () => ({ status: 200, headers: [], body: Readable.from(idle()) }),
  '/v1/never': ({ signal }) => {
    signal.addEventListener('abort', () => (aborted += 1));
    return new Promise(() => {});
  },
  '/v1/aborted': () => ({ status: 200, headers: [], body: String(aborted) }),
  '/v1/surplus': () => ({ status: 200, headers: ['Content-Length', '5'], body: Readable.from(surplus()) }),
  '/v1/send_surplus': () => {
    sendSurplus();
    return { status: 200, headers: [], body: '' };
  },
  '/v1/late_fault': () => ({ status: 200, headers: [], body: failing('a bug in the middle of a response') }),
  '/v1/late_stream': async () => {
    await sleep(9000);
    return { status: 200, headers: [], body: failing('too late') };
  },
};

/** The test product, inside the gateway's process. */
export async function mount() {
  return {
    respond: (request: UpstreamRequest, call: InsideCall) =>
      (behaviours[request.path] ?? (() => respondByPath(request)))(call),
    close: async () => {},
  };
}
