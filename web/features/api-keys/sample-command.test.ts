import { expect, test } from 'vitest';
import { sampleCommand } from '#web/features/api-keys/sample-command.ts';

test('a GET has the key in its header', () => {
  const command = sampleCommand('http://localhost:4100/tax-lookup', 'GET /v1/gstin/27AAPFU0939F1ZV', 'gstk_live_x');
  expect(command.split(' \\\n  ')).toEqual([
    'curl --fail-with-body',
    "'http://localhost:4100/tax-lookup/v1/gstin/27AAPFU0939F1ZV'",
    "-H 'X-API-Key: gstk_live_x'",
  ]);
});

test('a POST says that it sends JSON', () => {
  const command = sampleCommand('http://localhost:4100/gst-invoicing/', 'POST /v1/invoices/compute', 'gstk_live_x');
  expect(command).toContain('-X POST');
  expect(command).toContain("-H 'Content-Type: application/json'");
  expect(command).toContain("'http://localhost:4100/gst-invoicing/v1/invoices/compute'");
});

test('a body is sent unchanged, whatever quotes it contains', () => {
  const command = sampleCommand('http://localhost:4100/x', `POST /v1/y\n{ "name": "Devi's" }`, 'gstk_live_x');
  expect(command).toContain(String.raw`--data-raw '{ "name": "Devi'\''s" }'`);
});
