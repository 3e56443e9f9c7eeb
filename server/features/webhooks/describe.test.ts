import { expect, test } from 'vitest';
import { shownUrl } from './describe.ts';

const addresses: [string, string][] = [
  ['https://crm.example/hooks/octroi', 'https://crm.example/hooks/octroi'],
  ['https://crm.example:8443/api/v2/web-hooks/', 'https://crm.example:8443/api/v2/web-hooks/'],
  ['https://crm.example/hook?token=abc', 'https://crm.example/hook?…'],
  [
    'https://hooks.slack.com/services/T024BE7LD/B0ABC/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://hooks.slack.com/services/…/…/…',
  ],
  ['https://hooks.zapier.com/hooks/catch/1234567/abc1def/', 'https://hooks.zapier.com/hooks/catch/…/…/'],
  ['https://a.example/3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'https://a.example/…'],
  ['https://a.example/qwertyuiopasdfghjkl', 'https://a.example/…'],
];

test.each(addresses)('operators see of %s only %s', (address, shown) => {
  expect(shownUrl(address)).toBe(shown);
});
