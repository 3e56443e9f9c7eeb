import { expect, test } from 'vitest';
import { crumbsOf } from '#web/shell/crumbs.ts';

const unknown = () => undefined;

function words(pathname: string, productName: (id: string) => string | undefined = unknown): string {
  return crumbsOf(pathname, productName)
    .map(({ name, path }) => (path === null ? name : `${name}(${path})`))
    .join(' / ');
}

test.each([
  ['/marketplace', 'Home(/) / Marketplace'],
  ['/billing', 'Home(/) / Billing'],
  ['/developers', 'Home(/) / Developer Portal'],
  ['/developers/webhooks', 'Home(/) / Developer Portal(/developers) / Webhooks'],
  ['/developers/webhooks/WHK-1', 'Home(/) / Developer Portal(/developers) / Webhooks(/developers/webhooks) / WHK-1'],
  ['/activations/ACT-7K2M9QX4', 'Home(/) / ACT-7K2M9QX4'],
  ['/activations/ACT-7K2M9QX4/billing', 'Home(/) / ACT-7K2M9QX4(/activations/ACT-7K2M9QX4) / Billing'],
  ['/activations/ACT-7K2M9QX4/support', 'Home(/) / ACT-7K2M9QX4(/activations/ACT-7K2M9QX4) / Support Portal'],
  ['/api/ACT-7K2M9QX4', 'Home(/) / Developer Portal(/developers) / ACT-7K2M9QX4'],
  ['/nowhere/%E0%A4%A', 'Home(/) / nowhere'],
])('the way to %s', (pathname, expected) => {
  expect(words(pathname)).toBe(expected);
});

test('a product stands with its name once that is known', () => {
  expect(words('/marketplace/tax-lookup', (id) => (id === 'tax-lookup' ? 'Tax Lookup API' : undefined))).toBe(
    'Home(/) / Marketplace(/marketplace) / Tax Lookup API',
  );
  expect(words('/marketplace/tax-lookup')).toBe('Home(/) / Marketplace(/marketplace) / tax-lookup');
});
