import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from './outbound.ts';
import { resolveHostname } from './resolve-hostname.ts';

/** The value of an address record: 127.0.0.1 (type A) or ::1 (type AAAA). */
const loopbackRecords = new Map([
  [1, Buffer.from([127, 0, 0, 1])],
  [28, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])],
]);

/** A nameserver on this machine: names under `loopback` have the loopback addresses, every other name gets no response. */
async function startNameserver() {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    asked.push(labels.join('.'));
    if (labels.at(-1) !== 'loopback') return;
    const type = query.readUInt16BE(at + 1);
    const value = loopbackRecords.get(type) ?? Buffer.alloc(0);
    // Flags: a response without an error; one question, one answer, which names the question by its offset and lives for a minute.
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, value.length, ...value]);
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), record]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] };
}

test('finds the IPv4 and the IPv6 addresses of a name', async () => {
  const { servers } = await startNameserver();
  expect(await resolveHostname('receiver.loopback', { servers })).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
});

test.each(['localhost', 'localhost.', 'portal.localhost'])('%s is this machine, without a query', async (hostname) => {
  const { asked, servers } = await startNameserver();
  const found = await resolveHostname(hostname, { servers });
  expect(found.map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
  expect(asked).toEqual([]);
});

test('a name whose nameserver is silent is given up at the deadline, without an address', async () => {
  const { asked, servers } = await startNameserver();
  expect(await resolveHostname('silent.example', { servers, deadlineMs: 300 })).toEqual([]);
  // One query for each kind of address: the second tries would have come later.
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('names of silent nameservers do not delay the names of other systems', async () => {
  const { asked, servers } = await startNameserver();
  const outbound = createOutbound({
    toLoopback: false,
    resolve: (hostname) => resolveHostname(hostname, { servers }),
  });
  const checks = Array.from({ length: 12 }, (_, index) => outbound.faultOf(`https://s${index}.silent.example/`));
  await expect.poll(() => new Set(asked).size).toBe(12);
  // What every connection to Razorpay, the mail server or the database does first.
  await lookup('localhost');
  expect(new Set(await Promise.all(checks))).toEqual(new Set(['the hostname was not found']));
});

test('a name that a nameserver points to this machine is refused', async () => {
  const { asked, servers } = await startNameserver();
  const outbound = createOutbound({
    toLoopback: false,
    resolve: (hostname) => resolveHostname(hostname, { servers }),
  });
  const { fault } = await outbound.post('https://rebinding.loopback/', {}, '{}');
  expect(fault).toBe('the address is not on the public internet');
  expect(new Set(asked)).toEqual(new Set(['rebinding.loopback']));
});
