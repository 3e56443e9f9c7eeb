import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound, type OutboundOptions } from './outbound.ts';
import { isPublicAddress } from './public-address.ts';

/** A receiver on this machine that counts its requests. */
async function startReceiver(respond: RequestListener = (_request, response) => response.end('thanks')) {
  const seen: { path: string; host: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ path: request.url ?? '', host: request.headers.host ?? '', body });
      respond(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { seen, port, url: `http://127.0.0.1:${port}/hook` };
}

const strict = (resolve?: OutboundOptions['resolve']) =>
  createOutbound({ toLoopback: false, timeoutMs: 10_000, ...(resolve ? { resolve } : {}) });
const local = (more: Partial<OutboundOptions> = {}) => createOutbound({ toLoopback: true, timeoutMs: 10_000, ...more });

const inside = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
  192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::a9fe:a9fe
  64:ff9b::127.0.0.1 64:ff9b:1::10.0.0.1 100::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1
  ff0e::1 2001::1 2001:0:7f00:1:: 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1
`
  .trim()
  .split(/\s+/);
const outside = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255 2606:4700:4700::1111
  2a00:1450:4001:81b::200e 2001:4860:4860::8888 2400:cb00::1
`
  .trim()
  .split(/\s+/);

test.each(inside)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
test.each(outside)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
test.each(['', 'localhost', '1.2.3', '08.8.8.8', '8.8.8.8.', '1.1.1.1/8', '[::1]', '::1::'])(
  '%j is not an address',
  (text) => expect(isPublicAddress(text)).toBe(false),
);

test.each(inside.filter((address) => !address.includes('%')))(
  'a hostname that resolves to %s is refused',
  async (address) => {
    const family = address.includes(':') ? 6 : 4;
    const outbound = strict(async () => [{ address, family }]);
    expect(await outbound.faultOf('https://receiver.example/hook')).toMatch(/is not on the public internet/);
    const bracketed = family === 6 ? `[${address}]` : address;
    expect(await strict().faultOf(`https://${bracketed}/`)).toMatch(/is not on the public internet/);
  },
);

test('one private address among public ones is enough to refuse a hostname', async () => {
  const outbound = strict(async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(await outbound.faultOf('https://receiver.example/')).toMatch(/is not on the public internet/);
});

test('every spelling of a private IPv4 address is refused', async () => {
  const { seen, port } = await startReceiver();
  const part = fc.constantFrom(
    (value: number) => String(value),
    (value: number) => `0x${value.toString(16)}`,
    (value: number) => `0X${value.toString(16).padStart(4, '0')}`,
    (value: number) => `0${value.toString(8)}`,
    (value: number) => `000${value.toString(8)}`,
  );
  const octets = fc.constantFrom(
    [127, 0, 0, 1],
    [10, 1, 2, 3],
    [169, 254, 169, 254],
    [192, 168, 1, 1],
    [0, 0, 0, 0],
    [100, 64, 0, 9],
  );
  const spelling = fc
    .record({ octets, parts: fc.array(part, { minLength: 4, maxLength: 4 }), count: fc.integer({ min: 1, max: 4 }) })
    .map(({ octets: values, parts, count }) => {
      // The last part covers the missing ones: 127.1, 0x7f000001.
      const head = values.slice(0, count - 1);
      const tail = values.slice(count - 1).reduce<number>((sum, value) => sum * 256 + value, 0);
      return [...head, tail].map((value, index) => parts[index]?.(value) ?? '').join('.');
    });
  const wrapped = fc.constantFrom(
    (host: string) => host,
    (host: string) => `${host}.`,
    (host: string) => host.replaceAll('.', '%2e'),
    (host: string) => host.replaceAll('.', '。'),
    (host: string) => host.replaceAll('1', '①'),
  );
  await fc.assert(
    fc.asyncProperty(spelling, wrapped, async (host, wrap) => {
      const result = await strict().post(`https://${wrap(host)}:${port}/`, {}, '{}');
      expect(result.status).toBeUndefined();
      expect(result.fault).toMatch(/is not on the public|was not found|must begin/);
    }),
    { numRuns: 400 },
  );
  expect(seen).toEqual([]);
});

test.each([
  ['http://1.1.1.1/', /must begin with https/],
  ['ftp://1.1.1.1/', /must begin with https/],
  ['file:///etc/passwd', /must begin with https/],
  ['gopher://1.1.1.1/', /must begin with https/],
  ['//1.1.1.1/', /must begin with https/],
  ['https://', /must begin with https/],
  ['https://user@1.1.1.1/', /name or password/],
  ['https://1.1.1.1@127.0.0.1/', /name or password/],
  ['https://localhost/', /is not on the public internet/],
  ['https://localhost:5432/', /is not on the public internet/],
  ['https://１２７。０。０。１/', /is not on the public internet/],
  ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', /is not on the public internet/],
  ['https://localhost./', /is not on the public internet/],
  ['https://portal.localhost/', /is not on the public internet/],
])('%s is refused', async (url, why) => {
  expect(await strict().faultOf(url)).toMatch(why);
});

test('a public address is not refused', async () => {
  expect(await strict().faultOf('https://1.1.1.1/hook')).toBeUndefined();
  expect(await strict(async () => [{ address: '8.8.8.8', family: 4 }]).faultOf('https://a.example/')).toBeUndefined();
});

test('connects to the address that was checked, and resolves the hostname once', async () => {
  const { seen, port } = await startReceiver();
  let asked = 0;
  const outbound = local({
    resolve: async () => {
      asked += 1;
      // A rebinding name would resolve to another address now; it is not resolved again.
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    },
  });
  const result = await outbound.post(`http://receiver.example:${port}/hook`, {}, '{"a":1}');
  expect(result).toMatchObject({ status: 200, responseStart: 'thanks' });
  expect(asked).toBe(1);
  expect(seen).toEqual([{ path: '/hook', host: `receiver.example:${port}`, body: '{"a":1}' }]);
});

test('does not connect to a hostname that was public when it was added and resolves to a private address now', async () => {
  const { seen, port } = await startReceiver();
  const addresses = ['8.8.8.8', '127.0.0.1'];
  const outbound = strict(async () => [{ address: addresses.shift() ?? '127.0.0.1', family: 4 }]);
  const url = `https://rebinding.example:${port}/`;
  expect(await outbound.faultOf(url)).toBeUndefined();
  expect((await outbound.post(url, {}, '{}')).fault).toMatch(/is not on the public internet/);
  expect(seen).toEqual([]);
});

test('in development this machine can be reached, but no other private address', async () => {
  const { url } = await startReceiver();
  expect((await local().post(url, {}, '{}')).status).toBe(200);
  for (const other of ['http://10.0.0.1/', 'https://169.254.169.254/', 'http://1.1.1.1/']) {
    expect(await local().faultOf(other), other).toBeDefined();
  }
});

test('a redirect is a response like any other and is not followed', async () => {
  const inner = await startReceiver();
  const { url } = await startReceiver((_request, response) => {
    response.writeHead(302, { location: inner.url }).end();
  });
  expect(await local().post(url, {}, '{}')).toMatchObject({ status: 302 });
  expect(inner.seen).toEqual([]);
});

test('an endless response is cut off, and only its beginning is kept', async () => {
  const { url } = await startReceiver((_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.once('close', () => clearInterval(timer));
  });
  const result = await local().post(url, {}, '{}');
  expect(result.status).toBe(200);
  expect(result.responseStart).toHaveLength(1000);
});

test('a receiver that does not respond, or responds too slowly, times out', async () => {
  const silent = await startReceiver(() => undefined);
  const dripping = await startReceiver((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  });
  for (const { url } of [silent, dripping]) {
    const result = await local({ timeoutMs: 300 }).post(url, {}, '{}');
    expect(result.fault).toBe('no response within 0.3 seconds');
    expect(result.durationMs).toBeGreaterThan(290);
  }
});

test('the failure is described without details of the internal network', async () => {
  const { port } = await startReceiver();
  expect((await local().post('http://127.0.0.1:9/', {}, '{}')).fault).toBe('the connection was refused');
  expect((await local().post(`https://127.0.0.1:${port}/`, {}, '{}')).fault).toBe('the request failed');
});
