import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { readCatalog } from '#catalog/catalog-files.ts';
import { gatewayOptions } from '#catalog/gateway-options.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readUpstreamOptions } from './upstream-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Why a gateway with these secrets refuses the calls of a product with these options. */
function faultsOf(options: z.input<typeof gatewayOptions>, env: Record<string, string> = {}): readonly string[] {
  const gateway = gatewayOptions.parse(options);
  const [product] = readCatalog(projectFolder('ship', 'standins', 'catalog')).products;
  if (product === undefined) throw new Error('the catalogue is empty');
  const read = readUpstreamOptions([{ ...product, id: 'weather', gateway }], { env, folder });
  return read.get('weather')?.faults ?? [];
}

test('a secret that is missing is named with the product', () => {
  const credentials = [
    { type: 'bearer' as const, token: { env: 'CATALOG_SECRET_NOT_SET' } },
    { type: 'basic' as const, user: 'a', password: { file: 'missing' } },
  ];
  expect(faultsOf({ credentials })).toEqual([
    'CATALOG_SECRET_NOT_SET is not set; the catalogue file of weather needs it.',
    `${join(folder, 'missing')} cannot be read; the catalogue file of weather needs it (there is no such file or folder).`,
  ]);
});

const notSendable: [string, string][] = [
  ['s3c\nr3t', 'has a line break'],
  ['s3c\rr3t', 'has a line break'],
  ['s3c\u0000r3t', 'has a'],
];

test.each(notSendable)(
  'a secret that cannot be sent (%j) is named with the product, without its value',
  (secret, why) => {
    writeFileSync(join(folder, 'odd'), secret);
    const fromFile = { file: 'odd' };
    const fromEnv = { env: 'CATALOG_SECRET_ODD' };
    const env = { CATALOG_SECRET_ODD: secret };
    for (const [source, place] of [[fromFile, join(folder, 'odd')] as const, [fromEnv, 'CATALOG_SECRET_ODD'] as const])
      for (const credential of [
        { type: 'header' as const, name: 'X-Key', value: source },
        { type: 'bearer' as const, token: source },
        { type: 'basic' as const, user: 'a', password: source },
      ]) {
        const faults = faultsOf({ credentials: [credential] }, env);
        expect(faults).toHaveLength(1);
        expect(faults[0]).toContain(`${place} ${why}`);
        expect(faults[0]).toContain('weather');
        expect(faults[0]).not.toContain('r3t');
      }
  },
);

test('letters beyond Latin-1 are refused in a header and encoded in a password; bytes that are no text are refused', () => {
  writeFileSync(join(folder, 'hindi'), 'कुंजी');
  const file = { file: 'hindi' };
  expect(faultsOf({ credentials: [{ type: 'bearer', token: file }] })).toEqual([
    expect.stringMatching(/hindi has a character that no header can have/),
  ]);
  expect(faultsOf({ credentials: [{ type: 'basic', user: 'a', password: file }] })).toEqual([]);
  writeFileSync(join(folder, 'bytes'), Buffer.from([0x61, 0xff, 0xfe]));
  expect(faultsOf({ credentials: [{ type: 'hmac', keyId: 'a', secret: { file: 'bytes' } }] })).toEqual([
    expect.stringMatching(/bytes cannot be read; .*it is not text in UTF-8/),
  ]);
});

test('a certificate or key that TLS can’t use is named with the product', () => {
  const [one, other] = [1, 2].map(() => generate([{ name: 'commonName', value: 'gateway' }], { keySize: 2048 }));
  writeFileSync(join(folder, 'one.pem'), one?.cert ?? '');
  writeFileSync(join(folder, 'other.key'), other?.private ?? '');
  writeFileSync(join(folder, 'garbage'), 'no certificate');
  expect(faultsOf({ tls: { ca: 'garbage' } })).toEqual([expect.stringMatching(/garbage is not a certificate/)]);
  expect(faultsOf({ tls: { certificate: 'one.pem', key: { file: 'garbage' } } })).toEqual([
    expect.stringMatching(/garbage is not a private key/),
  ]);
  expect(faultsOf({ tls: { certificate: 'one.pem', key: { file: 'other.key' } } })).toEqual([
    expect.stringMatching(/other\.key is not the key of the certificate/),
  ]);
});
