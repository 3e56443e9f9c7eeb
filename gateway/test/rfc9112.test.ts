import { describe, expect, test } from 'vitest';
import { kinds, readResponse, useConformance } from './conformance.ts';
import { rawApi } from './raw-api.ts';

/** The gateway between two raw sockets, by the sections of RFC 9112. Its other half is `rfc9110.test.ts`. */

describe.each(kinds)('%s: RFC 9112', (kind) => {
  const { call, callFor, caller, counts, request } = useConformance(kind);
  const post = 'POST /tax-lookup/v1/ok HTTP/1.1';

  describe('§2 message', () => {
    test('§2.2 an empty line before the request is ignored', async () => {
      const text = await caller()
        .send(`\r\n${request(undefined, 'Connection: close\r\n')}`)
        .untilClosed();
      expect(readResponse(text).status).toBe(200);
    });

    test.each([
      ['0.9', 505],
      ['1.0', 200],
      ['1.1', 200],
      ['2.0', 505],
      ['3.0', 400],
    ])('§2.3 HTTP/%s gets %i', async (version, status) => {
      const line = `GET /tax-lookup/v1/ok HTTP/${version}`;
      expect((await call(line)).status).toBe(status);
      expect(rawApi.received).toHaveLength(status === 200 ? 1 : 0);
      // Also where no key is asked for.
      const text = await caller()
        .send(`GET /health HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`)
        .untilClosed();
      expect(readResponse(text).status).toBe(status);
    });

    test('§2.3 a caller with HTTP/1.0 gets no chunks, but the end of the connection', async () => {
      rawApi.response = { status: 200, headers: ['Transfer-Encoding', 'chunked'], parts: ['a', 'b'] };
      const one = caller().send(request('GET /tax-lookup/v1/ok HTTP/1.0'));
      await one.until(/\r\n\r\na/);
      rawApi.goOn();
      const { headers, body } = readResponse(await one.untilClosed());
      expect({ body, coding: headers['transfer-encoding'] }).toEqual({ body: 'ab', coding: undefined });
    });
  });

  describe('§3 request line', () => {
    test('§3 a target that is too long gets 414, which names the limit', async () => {
      const { status, body } = await call(`GET /tax-lookup/v1/ok?${'a'.repeat(20_000)} HTTP/1.1`);
      expect(status).toBe(414);
      expect(body).toContain('"code":"target-too-long"');
      expect(body).toContain('16384');
    });

    test.each([
      ['', 400],
      ['Host: a\r\nHost: b\r\n', 400],
      ['Host: a b\r\n', 400],
      ['Host: http://a\r\n', 400],
      ['Host: user@a\r\n', 400],
      ['Host: a:b\r\n', 400],
      ['Host: \xe9\r\n', 400],
      ['Host:\r\n', 200],
      ['Host: [2001:db8::1]:8080\r\n', 200],
      ['Host: xn--caf-dma.example:443\r\n', 200],
    ])('§3.2 a request with %j for a host gets %i', async (host, status) => {
      const text = request(undefined, 'Connection: close\r\n').replace('Host: a\r\n', host);
      expect(readResponse(await caller().send(text).untilClosed()).status).toBe(status);
    });

    test.each([
      ['http://api.example/tax-lookup/v1/ok?a=b', '/v1/ok?a=b'],
      ['HTTPS://[::1]:8443/tax-lookup/v1/ok', '/v1/ok'],
      ['http://other.example:80/tax-lookup/v1/a%20b', '/v1/a%20b'],
    ])('§3.2.2 the target %s in absolute form is that of its path', async (target, seen) => {
      expect((await call(`GET ${target} HTTP/1.1`)).status).toBe(200);
      expect(rawApi.received).toMatchObject([{ target: seen }]);
      await counts(1);
    });

    test('§3.2.2 the gateway’s own documents are found in absolute form too', async () => {
      for (const [target, status] of [
        ['http://a/health', 200],
        ['http://a/v1/usage', 200],
        ['http://a', 404],
        ['http://a?b', 404],
      ] as const)
        expect((await call(`GET ${target} HTTP/1.1`)).status).toBe(status);
    });

    test.each([
      'http://user:word@a/tax-lookup/v1/ok',
      'http://a\\b/tax-lookup/v1/ok',
      'ftp://a/tax-lookup/v1/ok',
      'http://a/tax-lookup/v1/../v1/ok',
      'tax-lookup/v1/ok',
      '*',
      '/tax-lookup/v1/ok#part',
      '/tax-lookup/v1/ok?a=b#part',
      'http://a/tax-lookup/v1/ok#part',
    ])('§3.2 the target %s gets 400 and doesn’t reach the API', async (target) => {
      expect((await call(`GET ${target} HTTP/1.1`)).status).toBe(400);
      expect(rawApi.received).toEqual([]);
    });
  });

  describe('§5 field syntax', () => {
    test.each([
      ['white space before the colon', 'X-A : b\r\n'],
      ['a folded line', 'X-A: a\r\n b\r\n'],
      ['a zero byte', 'X-A: a\0b\r\n'],
      ['a bare CR', 'X-A: a\rX-B: b\r\n'],
      ['no colon', 'X-A\r\n'],
      ['no name', ': a\r\n'],
    ])('§5 a request with %s gets 400 and doesn’t reach the API', async (_what, line) => {
      expect((await call(undefined, line)).status).toBe(400);
      expect(rawApi.received).toEqual([]);
    });

    test('§5.1 white space around a value is none of it', async () => {
      rawApi.response = { status: 200, headers: ['X-A', ' \t b\t ', 'Content-Length', '0'] };
      expect((await call(undefined, 'X-B: \t c \t\r\n')).headers['x-a']?.[0]?.trim()).toBe('b');
      expect(rawApi.received[0]?.headers).toContain('X-B: c');
    });
  });

  describe('§6 and §7 body', () => {
    test.each([
      ['Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'],
      ['Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
      ['Transfer-Encoding: gzip\r\n', ''],
      ['Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde'],
      ['Content-Length: +4\r\n', 'abcd'],
      ['Content-Length: 4, 4\r\n', 'abcd'],
      ['Transfer-Encoding: chunked\r\n', '-1\r\n\r\n'],
      ['Transfer-Encoding: chunked\r\n', '2\r\nabc\r\n0\r\n\r\n'],
    ])('§6.3 a request with an unclear end (%j, %j) is refused, and its connection closed', async (headers, body) => {
      const one = caller().send(request(post, headers) + body);
      expect([400, 501]).toContain(readResponse(await one.untilClosed()).status);
      expect(rawApi.received).toEqual([]);
    });

    test('§6.1 HTTP/1.0 has no Transfer-Encoding', async () => {
      const one = caller().send(
        `${request('POST /tax-lookup/v1/ok HTTP/1.0', 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
      );
      expect(readResponse(await one.untilClosed()).status).toBe(400);
      expect(rawApi.received).toEqual([]);
    });

    test('§7.1 a chunked request reaches the API whole, without extensions and trailers', async () => {
      const body = '4;a=b\r\nbody\r\n1\r\n!\r\n0\r\nX-Trailer: a\r\n\r\n';
      expect((await call(post, 'Transfer-Encoding: chunked\r\n', body)).status).toBe(200);
      expect(rawApi.received).toMatchObject([{ body: 'body!' }]);
    });

    test.each([[['Content-Length', '4']], [['Transfer-Encoding', 'chunked']]])(
      '§6.3 a body in parts (%j) arrives whole',
      async (headers) => {
        expect(await callFor({ status: 200, headers, parts: ['do', 'ne'] })).toMatchObject({
          body: 'done',
          whole: true,
        });
        await counts(1);
      },
    );
  });

  describe('§8 incomplete messages', () => {
    test.each([
      ['a length', ['Content-Length', '6']],
      ['chunks', ['Transfer-Encoding', 'chunked']],
    ])('a response with %s that breaks off reaches the caller as broken, and isn’t counted', async (_what, headers) => {
      expect(await callFor({ status: 200, headers, parts: ['do', 'ne'], breaksOff: true })).toMatchObject({
        whole: false,
      });
      await counts(0, 1);
    });
  });

  describe('§9 connections', () => {
    test('§9.3 a connection persists until somebody ends it, and with HTTP/1.0 only if asked', async () => {
      const one = caller();
      for (let nth = 0; nth < 3; nth += 1) {
        one.received = '';
        await one.send(request()).until(/^HTTP\/1\.1 200 [^]*\r\n\r\n/);
      }
      one.send(request(undefined, 'Connection: close\r\n'));
      await one.untilClosed();
      await caller().send(request('GET /tax-lookup/v1/ok HTTP/1.0')).untilClosed();
      const kept = caller().send(request('GET /tax-lookup/v1/ok HTTP/1.0', 'Connection: keep-alive\r\n'));
      expect(await kept.until(/\r\n\r\n/)).toMatch(/^connection: keep-alive/im);
      await counts(6);
    });

    test('§9.3.2 pipelined requests get their responses in order', async () => {
      const lines = ['GET /tax-lookup/v1/ok HTTP/1.1', 'GET /health HTTP/1.1', 'GET /nothing HTTP/1.1'];
      const last = request('GET /tax-lookup/v1/ok HTTP/1.1', 'Connection: close\r\n');
      const text = await caller()
        .send(lines.map((line) => request(line)).join('') + last)
        .untilClosed();
      expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual([200, 200, 404, 200].map((status) => `HTTP/1.1 ${status}`));
      await counts(2);
    });
  });
});

describe('proxied: RFC 9112 of the API’s connection', () => {
  const { callFor, counts } = useConformance('proxied');

  test.each([
    ['no reason phrase', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok'],
    ['no space after the status', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['a body until its end', 'HTTP/1.1 200 OK\r\n\r\nok'],
    ['a body until its end with HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok'],
    [
      'chunks with extensions',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\no\r\n01\r\nk\r\n0\r\n\r\n',
    ],
    ['trailers', 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: b\r\n\r\n'],
  ])('§4 to §7 a response with %s arrives whole and counts', async (_what, bytes) => {
    expect(await callFor(bytes)).toMatchObject({ status: 200, body: 'ok', whole: true });
    await counts(1);
  });

  test.each([
    ['no status', 'HTTP/1.1 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['no HTTP at all', '<html>ok</html>\r\nContent-Length: 2\r\n\r\n'],
    ['white space before the colon', 'HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: 2\r\n\r\nok'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 2\r\n\r\nok'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    [
      'a transfer coding that nobody asked for',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a transfer coding until its end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok'],
  ])('§4 to §6 a response with %s is a 502, and isn’t counted', async (_what, bytes) => {
    expect(await callFor(bytes)).toMatchObject({ status: 502 });
    await counts(0, 1);
  });
});
