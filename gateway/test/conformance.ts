import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { decodeChunks, rawApi, type RawResponse, splitOnce, startRawApi } from './raw-api.ts';
import { createCustomer, type Customer, type Harness, openHarness, startTestGateway, usageOf } from './world.ts';

/** How a gateway reaches the API of a conformance test. */
export const kinds = ['proxied', 'inside'] as const;

/** A caller on a raw socket. Texts are bytes in Latin-1. */
export class RawCaller {
  readonly socket: Socket;
  received = '';
  closed = false;

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    this.socket.on('error', () => {});
    this.socket.on('close', () => (this.closed = true));
  }

  send(bytes: string): this {
    this.socket.write(bytes, 'latin1');
    return this;
  }

  /** Waits until what was received matches. */
  async until(pattern: RegExp): Promise<string> {
    await vi.waitFor(
      () => {
        if (!pattern.test(this.received)) throw new Error(`this doesn't match ${pattern}: ${this.received}`);
      },
      { timeout: 60_000 },
    );
    return this.received;
  }

  async untilClosed(): Promise<string> {
    await vi.waitUntil(() => this.closed, { timeout: 60_000 });
    return this.received;
  }
}

export interface ReadResponse {
  status: number;
  /** Of each lower-case name, in order. */
  headers: Record<string, string[]>;
  body: string;
}

/** Reads what a caller received for one request. A chunked body is decoded; `whole` says whether it was. */
export function readResponse(text: string): ReadResponse & { whole: boolean } {
  const [head, rest = ''] = splitOnce(text, '\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string[]> = {};
  for (const each of lines) {
    const [name, value = ''] = splitOnce(each, ': ');
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  if (headers['transfer-encoding']?.[0] !== 'chunked') {
    const length = headers['content-length']?.[0];
    return { status, headers, body: rest, whole: length === undefined || Number(length) === rest.length };
  }
  return { status, headers, ...decodeChunks(rest) };
}

/** Everything that a conformance test of one kind of API needs. */
export interface Conformance {
  /** A request to the API, with a key and without a body. */
  request: (line?: string, headers?: string) => string;
  /** Sends one request on a connection of its own, and reads until that ends. */
  call: (line?: string, headers?: string, body?: string) => Promise<ReadResponse & { whole: boolean }>;
  caller: () => RawCaller;
  /** Calls while the API sends this. With several parts the caller gets the head before the API goes on. */
  callFor: (response: RawResponse | string, line?: string) => Promise<ReadResponse & { whole: boolean }>;
  /** Expects these counts of the test's customer. */
  counts: (counted: number, free?: number) => Promise<void>;
}

/** A gateway in front of the API, for the tests of a `describe`. Each test has a customer of its own. */
export function useConformance(kind: (typeof kinds)[number], env: Record<string, string> = {}): Conformance {
  let harness: Harness;
  let gateway: Gateway;
  let customer: Customer;
  let api: { url: string; close: () => void };
  const callers: RawCaller[] = [];
  beforeAll(async () => {
    harness = await openHarness();
    api = await startRawApi();
    const upstream = kind === 'inside' ? 'file:gateway/test/raw-api.ts' : api.url;
    const dataDir = `${harness.setup.dataDir}/${kind}`;
    gateway = await startTestGateway({ ...harness.setup, dataDir }, { upstream, env });
  });
  beforeEach(async () => {
    Object.assign(rawApi, {
      response: { status: 200, headers: ['Content-Length', '0'] },
      received: [],
      connections: 0,
    });
    customer = await createCustomer(harness.database.pool);
  });
  afterAll(async () => {
    for (const { socket } of callers) socket.destroy();
    await gateway.close();
    api.close();
    await harness.close();
  });
  const caller = (): RawCaller => {
    const made = new RawCaller(gateway.url);
    callers.push(made);
    return made;
  };
  const request: Conformance['request'] = (line = 'GET /tax-lookup/v1/ok HTTP/1.1', headers = '') =>
    `${line}\r\n${/^host:/im.test(headers) ? '' : 'Host: a\r\n'}X-API-Key: ${customer.key}\r\n${headers}\r\n`;
  const call: Conformance['call'] = async (line, headers = '', body = '') => {
    const text = await caller()
      .send(request(line, `Connection: close\r\n${headers}`) + body)
      .untilClosed();
    return readResponse(text);
  };
  return {
    request,
    caller,
    call,
    callFor: async (response, line) => {
      rawApi.response = response;
      if (typeof response === 'string' || (response.parts ?? []).length < 2) return call(line);
      const one = caller().send(request(line, 'Connection: close\r\n'));
      await one.until(/\r\n\r\n/);
      rawApi.goOn();
      return readResponse(await one.untilClosed());
    },
    counts: (counted, free = 0) =>
      expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted, free }),
  };
}
