import { Store } from 'lucide-react';
import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { crumbsOf } from '#web/shell/crumbs.ts';
import { Place, destinationsOf } from '#web/shell/place.ts';

const named = (name: string, isMain?: boolean) =>
  new Place(
    () => [{ name }],
    isMain === undefined ? undefined : { name: () => name, icon: Store, keywords: [], isMain },
  );

const routes: RouteObject[] = [
  {
    children: [
      {
        path: '/developers',
        handle: named('Developers', true),
        children: [
          { path: '/developers' },
          {
            path: '/developers/webhooks',
            handle: named('Webhooks', false),
            children: [{ path: '' }, { path: ':id', handle: new Place(({ id = '' }) => [{ name: id, isId: true }]) }],
          },
        ],
      },
      {
        path: '/reference/:product',
        handle: new Place(({ product = '' }, productName) => [
          { name: productName(product), path: `/marketplace/${product}` },
          { name: 'Reference' },
        ]),
      },
    ],
  },
];

function words(pathname: string): string {
  const matches = (matchRoutes(routes, pathname) ?? []).map(({ route, ...match }) => ({
    ...match,
    handle: route.handle as unknown,
  }));
  return crumbsOf(matches, (id) => (id === 'tax-lookup' ? 'Tax Lookup API' : id))
    .map(({ name, path }) => (path === null ? name : `${name}(${path})`))
    .join(' / ');
}

test.each([
  ['/', 'Home(/)'],
  ['/developers', 'Home(/) / Developers'],
  ['/developers/webhooks', 'Home(/) / Developers(/developers) / Webhooks'],
  ['/developers/webhooks/a%3Fb', 'Home(/) / Developers(/developers) / Webhooks(/developers/webhooks) / a?b'],
  ['/reference/tax-lookup', 'Home(/) / Tax Lookup API(/marketplace/tax-lookup) / Reference'],
])('the breadcrumbs of %s', (pathname, expected) => {
  expect(words(pathname)).toBe(expected);
});

test('lists the pages of search and navigation with their addresses', () => {
  expect(destinationsOf(routes).map(({ path, isMain }) => ({ path, isMain }))).toEqual([
    { path: '/developers', isMain: true },
    { path: '/developers/webhooks', isMain: false },
  ]);
});
