import { describe, expect, test } from 'vitest';
import { kinds, readResponse, useConformance } from './conformance.ts';
import { rawApi, type RawResponse } from './raw-api.ts';

/** The gateway between two raw sockets, by the sections of RFC 9110. Its other half is `rfc9112.test.ts`. */

/** Every byte that a field value may have (§5.5). */
const everyByte = [
  'a\t',
  ...Array.from({ length: 256 }, (_each, code) => String.fromCharCode(code)).filter((byte) =>
    /[\x20-\x7e\x80-\xff]/.test(byte),
  ),
  'z',
].join('');
const odd = ['X-Every-Byte', everyByte, 'X-Utf8', '\xe2\x82\xb9 \xc3\xa9', 'X-Latin1', '\xe9\xff'];
const named = ['Content-Disposition', 'attachment; filename="\xe2\x82\xb9\xe9.pdf"'];

/** A response with these headers, in each way in which its body may come. */
const ways: [string, (headers: string[]) => RawResponse][] = [
  ['whole', (headers) => ({ status: 200, headers: ['Content-Length', '4', ...headers], parts: ['done'] })],
  ['head first', (headers) => ({ status: 200, headers: ['Content-Length', '4', ...headers], parts: ['do', 'ne'] })],
  [
    'chunked',
    (headers) => ({ status: 200, headers: ['Transfer-Encoding', 'chunked', ...headers], parts: ['do', 'ne'] }),
  ],
  ['uncounted', (headers) => ({ status: 500, headers: ['Content-Length', '4', ...headers], parts: ['do', 'ne'] })],
  [
    'large',
    (headers) => ({ status: 200, headers: ['Content-Length', '70000', ...headers], parts: ['x'.repeat(70_000)] }),
  ],
  ['304', (headers) => ({ status: 304, headers: ['Content-Length', '4', ...headers] })],
  ['204', (headers) => ({ status: 204, headers })],
];

const interim = (status: number, headers = ''): string => `HTTP/1.1 ${status} Interim\r\n${headers}\r\n`;

describe.each(kinds)('%s: RFC 9110', (kind) => {
  const { call, callFor, caller, counts, request } = useConformance(kind);

  describe('§5 fields', () => {
    test.each(ways)('§5.5 header values of a response pass byte for byte (%s)', async (_way, respond) => {
      const { headers } = await callFor(respond([...odd, ...named]));
      const sent = [...odd, ...named];
      const got = sent.flatMap((name, at) => (at % 2 === 0 ? [name, ...(headers[name.toLowerCase()] ?? [])] : []));
      expect(got).toEqual(sent);
    });

    test('§5.5 header values of a request pass byte for byte', async () => {
      const lines = [0, 2, 4].map((at) => `${odd[at]}: ${odd[at + 1]}`);
      expect((await call(undefined, `${lines.join('\r\n')}\r\n`)).status).toBe(200);
      expect(rawApi.received[0]?.headers).toEqual(expect.arrayContaining(lines));
    });

    test('§5.3 repeated headers stay apart and in order, in both directions', async () => {
      rawApi.response = {
        status: 200,
        headers: ['Set-Cookie', 'a=1', 'X-A', '1', 'Set-Cookie', 'b=2', 'X-A', '2', 'Content-Length', '0'],
      };
      const { headers } = await call(undefined, 'X-B: 1\r\nAccept: a\r\nX-B: 2\r\n');
      expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-a': ['1', '2'] });
      expect(rawApi.received[0]?.headers.filter((line) => line.startsWith('X-B'))).toEqual(['X-B: 1', 'X-B: 2']);
    });

    test('§5.4 of a request with 1,500 headers none is lost', async () => {
      const lines = Array.from({ length: 1500 }, (_each, at) => `x${at}: ${at}`);
      expect((await call(undefined, `${lines.join('\r\n')}\r\n`)).status).toBe(200);
      expect(rawApi.received[0]?.headers).toEqual(expect.arrayContaining(lines));
    });

    test('§5.4 a request whose headers are too large gets 431, which names the limit', async () => {
      const { status, body } = await call(undefined, `X-A: ${'a'.repeat(20_000)}\r\n`);
      expect(status).toBe(431);
      expect(body).toContain('larger than 16384 bytes');
    });
  });

  describe('§6 message abstraction', () => {
    test('§6.6.1 the Date of the API passes; a response without one gets one', async () => {
      const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
      for (const [way, respond] of ways.slice(0, 3)) {
        expect((await callFor(respond(['Date', date]))).headers['date'], way).toEqual([date]);
        expect((await callFor(respond([]))).headers['date'], way).toHaveLength(1);
      }
    });
  });

  describe('§7 routing', () => {
    test('§7.6.1 headers that Connection names, and those of one hop, end at the gateway in both directions', async () => {
      const hop =
        'Connection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nKeep-Alive: timeout=1\r\nProxy-Connection: a\r\nX-Kept: 1\r\n';
      const respond = ['Connection', 'X-Hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=9', 'Upgrade', 'h2c', 'X-Kept', '1'];
      rawApi.response = { status: 200, headers: [...respond, 'Content-Length', '0'] };
      const { headers } = readResponse(await caller().send(request(undefined, hop)).untilClosed());
      expect(headers).toMatchObject({ 'x-kept': ['1'], connection: ['close'] });
      for (const name of ['x-hop', 'keep-alive', 'upgrade']) expect(headers).not.toHaveProperty(name);
      const seen = (rawApi.received[0]?.headers ?? []).map((line) => line.toLowerCase());
      expect(seen).toContain('x-kept: 1');
      expect(seen.filter((line) => /^(?:x-hop|te|keep-alive|proxy-connection):/.test(line))).toEqual([]);
    });

    test('§7.8 an upgrade that the gateway doesn’t know is ignored, and of WebSocket refused', async () => {
      expect((await call(undefined, 'Upgrade: h2c\r\n')).status).toBe(200);
      expect(rawApi.received[0]?.headers.some((line) => /^upgrade/i.test(line))).toBe(false);
      expect((await call(undefined, 'Upgrade: websocket\r\n')).status).toBe(501);
    });
  });

  describe('§9 methods', () => {
    test('§9.3.2 HEAD gets the headers of the GET, any length among them, and no body', async () => {
      rawApi.response = { status: 200, headers: ['Content-Length', '99', 'ETag', '"a"'] };
      const one = caller().send(request('HEAD /tax-lookup/v1/ok HTTP/1.1'));
      await one.until(/\r\n\r\n/);
      one.send(request('HEAD /tax-lookup/v1/ok HTTP/1.1', 'Connection: close\r\n'));
      const [first = '', second = '', more] = (await one.untilClosed()).split('\r\n\r\n');
      expect(more).toBe('');
      for (const text of [first, second])
        expect(readResponse(text).headers).toMatchObject({ 'content-length': ['99'], etag: ['"a"'] });
      await counts(2);
    });

    test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])('§9 %s passes', async (method) => {
      expect((await call(`${method} /tax-lookup/v1/ok HTTP/1.1`)).status).toBe(200);
      expect(rawApi.received[0]?.method).toBe(method);
    });

    test.each(['CONNECT a:443', 'CONNECT /tax-lookup/v1/ok', 'TRACE /tax-lookup/v1/ok', 'PROPFIND /tax-lookup/v1/ok'])(
      '§9.1 %s gets 501 and doesn’t reach the API',
      async (line) => {
        const { status, body } = await call(`${line} HTTP/1.1`);
        expect(status).toBe(501);
        expect(body).toContain(`"code":"method-unsupported"`);
        expect(rawApi.received).toEqual([]);
      },
    );
  });

  describe('§10 and §11 context and authentication', () => {
    test('§10.1.1 a caller that expects 100 Continue gets one, and the body then reaches the API', async () => {
      const one = caller().send(
        request(
          'POST /tax-lookup/v1/ok HTTP/1.1',
          'Expect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n',
        ),
      );
      expect(await one.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      expect(await one.send('body').untilClosed()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
      expect(rawApi.received[0]).toMatchObject({ body: 'body' });
    });

    test.each(['Bearer', 'bearer', 'BEARER'])('§11.1 the scheme %s has no case', async (scheme) => {
      const text = request().replace('X-API-Key:', `Connection: close\r\nAuthorization: ${scheme}`);
      expect(readResponse(await caller().send(text).untilClosed()).status).toBe(200);
      await counts(1);
    });
  });

  describe('§8.6 and §15 responses without a body', () => {
    test.each([
      [304, ['Content-Length', '1234'], '1234'],
      [304, ['Content-Length', '0'], '0'],
      [304, [], undefined],
      [304, ['Transfer-Encoding', 'chunked'], undefined],
      [204, [], undefined],
      [204, ['Content-Length', '0'], undefined],
      [204, ['Content-Length', '1234'], undefined],
    ])(
      '§8.6 a %i with %j counts each time and leaves the connection of its caller open',
      async (status, framing, length) => {
        rawApi.response = {
          status,
          headers: [...framing.map((each) => each.replace('chunked', 'Chunked')), 'ETag', '"a"'],
        };
        const one = caller();
        for (let nth = 1; nth <= 4; nth += 1) {
          one.received = '';
          one.send(request(undefined, 'If-None-Match: "a"\r\n'));
          const { headers, body, status: got } = readResponse(await one.until(/\r\n\r\n/));
          expect({ got, etag: headers['etag'], length: headers['content-length']?.[0], body }).toEqual({
            got: status,
            etag: ['"a"'],
            length,
            body: '',
          });
        }
        expect(one.closed).toBe(false);
        expect(rawApi.received.every(({ headers }) => headers.includes('If-None-Match: "a"'))).toBe(true);
        // The connection may be that of the test before. One on which a body may follow is not used again.
        expect(rawApi.connections).toBeLessThan(framing[1] === '1234' ? 6 : 2);
        await counts(4);
      },
    );
  });

  describe('§14 and §15 final responses', () => {
    test('§14 a range passes, and its 206 with it', async () => {
      rawApi.response = {
        status: 206,
        headers: ['Content-Range', 'bytes 0-1/9', 'Content-Length', '2'],
        parts: ['ab'],
      };
      const { status, headers, body } = await call(undefined, 'Range: bytes=0-1\r\nIf-Range: "a"\r\n');
      expect({ status, body, range: headers['content-range'] }).toEqual({
        status: 206,
        body: 'ab',
        range: ['bytes 0-1/9'],
      });
      expect(rawApi.received[0]?.headers).toEqual(expect.arrayContaining(['Range: bytes=0-1', 'If-Range: "a"']));
    });

    test('§15 every final status passes with its headers and body', async () => {
      for (const status of [
        200, 201, 202, 203, 206, 207, 208, 226, 299, 300, 301, 302, 303, 307, 308, 399, 400, 401, 402, 403, 404, 405,
        406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431,
        451, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 599, 600, 999,
      ]) {
        const response = await callFor({ status, headers: ['X-A', 'b', 'Content-Length', '2'], parts: ['ok'] });
        expect({ status: response.status, a: response.headers['x-a'], body: response.body }).toEqual({
          status,
          a: ['b'],
          body: 'ok',
        });
      }
    });
  });
});

describe('proxied: RFC 9110 of the API’s connection', () => {
  const { callFor, counts } = useConformance('proxied');

  test.each([
    ['a 100', interim(100)],
    ['three 100', interim(100).repeat(3)],
    ['twenty 103', interim(103, 'Link: </a>\r\n').repeat(20)],
    ['one of each', [100, 101 + 1, 103, 104, 199].map((status) => interim(status, 'Content-Length: 5\r\n')).join('')],
  ])('§15.2 %s before the response changes nothing for the caller, asked for or not', async (_what, text) => {
    for (const headers of [
      ['Content-Length', '2'],
      ['Transfer-Encoding', 'chunked'],
    ])
      for (const line of ['GET', 'POST'])
        expect(
          await callFor({ status: 200, headers, parts: ['ok'], interim: text }, `${line} /tax-lookup/v1/ok HTTP/1.1`),
        ).toMatchObject({ status: 200, body: 'ok', whole: true });
    expect(rawApi.connections).toBeLessThan(2);
    await counts(4);
  });

  test('§15.2.2 a switch of protocols that nobody asked for is a 502, and isn’t counted', async () => {
    expect(await callFor('HTTP/1.1 101 A\r\nConnection: upgrade\r\nUpgrade: b\r\n\r\n')).toMatchObject({ status: 502 });
    expect(await callFor('HTTP/1.1 101 A\r\n\r\n')).toMatchObject({ status: 502 });
    await counts(0, 2);
  });

  test('§5.4 a response whose headers are too large is a 502, which names the limit', async () => {
    const { status, body } = await callFor({
      status: 200,
      headers: ['X-A', 'a'.repeat(30_000), 'Content-Length', '0'],
    });
    expect(status).toBe(502);
    expect(body).toContain('larger than 16384 bytes');
    await counts(0, 1);
  });
});

describe('proxied, with MAX_HEAD_BYTES=65536', () => {
  const { call } = useConformance('proxied', { MAX_HEAD_BYTES: '65536' });

  test('§5.4 headers of 60 KB pass in both directions, and larger ones name that limit', async () => {
    rawApi.response = { status: 200, headers: ['X-A', 'a'.repeat(60_000), 'Content-Length', '0'] };
    const { status, headers } = await call(undefined, `X-B: ${'b'.repeat(60_000)}\r\n`);
    expect(status).toBe(200);
    expect(headers['x-a']?.[0]).toHaveLength(60_000);
    expect(rawApi.received[0]?.headers).toContain(`X-B: ${'b'.repeat(60_000)}`);
    rawApi.response = { status: 200, headers: ['X-A', 'a'.repeat(70_000), 'Content-Length', '0'] };
    expect((await call()).body).toContain('larger than 65536 bytes');
    expect((await call(undefined, `X-B: ${'b'.repeat(70_000)}\r\n`)).body).toContain('larger than 65536 bytes');
  });
});
