import { isDeepStrictEqual } from 'node:util';
import { formatRupees } from '#shared/domain/money.ts';
import type { Catalog, CatalogPlan, Product } from './catalog.ts';
import { defaultGatewayOptions } from './gateway-options.ts';
import type { Guide } from './guides.ts';
import { callText } from './refused-calls.ts';
import { servedWays } from './served-words.ts';
import { compareSoldOperations } from './sold-operations.ts';

/** One difference between two catalogues, and who notices it. */
export interface CatalogChange {
  product: string;
  change: string;
  affects: string;
}

const newSales = 'New purchases and prepayments; plans that were sold keep their terms.';
const everybody = 'Every customer of this product, from the next call on.';
const nobodyYet = 'Nobody yet.';

/** What changes from one catalogue to another, products first, then plans, in the order of the catalogues. `customers`: how many have a product. */
export function compareCatalogs(
  before: Catalog,
  after: Catalog,
  customers: ReadonlyMap<string, number> = new Map(),
): CatalogChange[] {
  const changes: CatalogChange[] = [];
  for (const old of before.products) {
    const now = after.products.find(({ id }) => id === old.id);
    if (now === undefined) {
      changes.push({
        product: old.id,
        change: 'removed',
        affects: 'Its customers: calls are refused with 404, although plans that were paid run on. Refund or keep it.',
      });
    } else changes.push(...compareProducts(old, now));
  }
  for (const now of after.products) {
    if (!before.products.some(({ id }) => id === now.id))
      changes.push({
        product: now.id,
        change: [
          `added with ${now.plans.length} plans`,
          `path on the gateway: ${now.gatewayPath}`,
          ...addedWords(now),
          ...differenceOf([], now.refused),
        ].join('; '),
        affects: servedAgain(customers.get(now.id) ?? 0),
      });
  }
  return [...changes, ...compareGuides(before.guides, after.guides)];
}

/** Guides may be about all products: each is named by its file. */
function compareGuides(before: readonly Guide[], after: readonly Guide[]): CatalogChange[] {
  const affects = 'Readers of the guides.';
  const gone = before.filter(({ id }) => !after.some((now) => now.id === id));
  const changed = after.flatMap((now) => {
    const old = before.find(({ id }) => id === now.id);
    if (isDeepStrictEqual(old, now)) return [];
    return [{ product: 'docs', change: `guide ${now.id} ${old === undefined ? 'added' : 'changed'}`, affects }];
  });
  return [
    ...gone.map(({ id }) => ({
      product: 'docs',
      change: `guide ${id} removed`,
      affects: `${affects} Its address is gone.`,
    })),
    ...changed,
  ];
}

/** Customers keep a product that is taken off the catalogue. */
function servedAgain(customers: number): string {
  if (customers === 0) return nobodyYet;
  const whose = customers === 1 ? '1 customer who has it' : `${customers} customers who have it`;
  return `${whose}: calls of their keys are served again from the next call on.`;
}

/** Who notices that a product is served in another way. */
function noticedBy(name: string): string {
  if (name === 'sandbox') return 'Calls of test keys.';
  return name === 'OpenAPI document' ? 'Readers of the reference.' : everybody;
}

/** How a new product is reached: of the gateway's options, what is not their default. */
function addedWords(product: Product): string[] {
  const other = { gateway: defaultGatewayOptions, upstreamUrl: '', sandbox: undefined, openapi: { path: '' } };
  const usual = servedWays({ ...product, ...other });
  return [...servedWays(product)]
    .filter(([name, { words }]) => words !== 'none' && words !== usual.get(name)?.words)
    .map(([name, { words }]) => `${name}: ${words}`);
}

function callsWithout(some: Product['refused'], others: Product['refused']): string[] {
  const known = new Set(others.map(callText));
  return some.map(callText).filter((call) => !known.has(call));
}

/** Calls that are refused from now on, and calls that no longer are. */
function differenceOf(old: Product['refused'], now: Product['refused']): string[] {
  const [added, gone] = [callsWithout(now, old), callsWithout(old, now)];
  return [
    ...(added.length > 0 ? [`refuses ${added.join(', ')}`] : []),
    ...(gone.length > 0 ? [`no longer refuses ${gone.join(', ')}`] : []),
  ];
}

/** Fields of a product, and who notices when they change. */
const fields: readonly (readonly [keyof Product, string, string])[] = [
  [
    'gatewayPath',
    'path on the gateway',
    'Every customer must change the address of their calls; the old one gets 404.',
  ],
  ['metered', 'metered operations', 'New purchases and prepayments. Readers of the reference.'],
  [
    'aliases',
    'aliases',
    'Links and calls of the portal that use an alias. Customers who bought under one that is gone: calls are refused.',
  ],
  ['deprecations', 'deprecations', 'Customers who hold keys are told, once for each deprecation and day.'],
  ['sac', 'SAC', 'Invoices of new purchases.'],
  [
    'gstRates',
    'GST rates',
    'Tax on supplies from the first day of each rate; prepaid plans follow the time of supply.',
  ],
];
const texts = [
  'name',
  'apiName',
  'tagline',
  'description',
  'longDescription',
  'features',
  'useCases',
  'faq',
  'sample',
  'operations',
  'tags',
  'categories',
  'translations',
  'icon',
  'picture',
  'images',
  'claims',
  'changelog',
  'position',
] as const;

function compareProducts(before: Product, after: Product): CatalogChange[] {
  const product = after.id;
  const changed = fields.flatMap(([field, name, affects]) => {
    const [old, now] = [before[field], after[field]];
    if (isDeepStrictEqual(old, now)) return [];
    const shown = typeof old === 'string' && typeof now === 'string' ? `: ${old} → ${now}` : '';
    return [{ product, change: `${name} changed${shown}`, affects }];
  });
  const [served, serves] = [servedWays(before), servedWays(after)];
  for (const name of new Set([...served.keys(), ...serves.keys()])) {
    const [old, now] = [served.get(name), serves.get(name)];
    if (isDeepStrictEqual(old?.value, now?.value)) continue;
    const [was, is] = [old?.words ?? 'none', now?.words ?? 'none'];
    const shown = was === is ? '' : `: ${was} → ${is}`;
    changed.push({ product, change: `${name} changed${shown}`, affects: noticedBy(name) });
  }
  for (const change of differenceOf(before.refused, after.refused))
    changed.push({ product, change, affects: everybody });
  const rewritten = texts.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (rewritten.length > 0)
    changed.push({
      product,
      change: `texts and pictures changed: ${rewritten.join(', ')}`,
      affects: 'Visitors of the marketplace.',
    });
  const operations = compareSoldOperations(before.metered, after.metered);
  const sales = operations.length === 0 ? newSales : 'New purchases and prepayments.';
  return [...changed, ...operations.map((each) => ({ product, ...each })), ...comparePlans(before, after, sales)];
}

function comparePlans(before: Product, after: Product, sales: string): CatalogChange[] {
  const product = after.id;
  const changes: CatalogChange[] = [];
  for (const old of before.plans) {
    const now = after.plans.find(({ planId }) => planId === old.planId);
    if (now === undefined) {
      const change = `plan ${old.planId} is no longer for sale`;
      changes.push({
        product,
        change,
        affects: 'Its customers cannot renew it; running and prepaid plans end on their day.',
      });
      continue;
    }
    const differences = planFields.flatMap(([field, name, show]) =>
      isDeepStrictEqual(old[field], now[field]) ? [] : [`${name} ${show(old)} → ${show(now)}`],
    );
    if (differences.length > 0)
      changes.push({ product, change: `plan ${old.planId}: ${differences.join(', ')}`, affects: sales });
  }
  for (const now of after.plans) {
    if (!before.plans.some(({ planId }) => planId === now.planId))
      changes.push({
        product,
        change: `plan ${now.planId} added at ${formatRupees(now.pricePaise)}`,
        affects: nobodyYet,
      });
  }
  return changes;
}

function unitsText({ costs }: CatalogPlan): string {
  const each = Object.entries(costs ?? {}).map(
    ([id, { units, counts }]) => `${id}=${units}${counts === undefined ? '' : ` (${counts.join(' ')})`}`,
  );
  return each.length === 0 ? '1 each' : each.join(', ');
}

const planFields: readonly (readonly [keyof CatalogPlan, string, (plan: CatalogPlan) => string])[] = [
  ['pricePaise', 'price', (plan) => formatRupees(plan.pricePaise)],
  ['tax', 'tax', (plan) => plan.tax],
  ['maxDays', 'days', (plan) => String(plan.maxDays)],
  ['dailyQuota', 'daily quota', (plan) => String(plan.dailyQuota)],
  ['monthlyQuota', 'monthly quota', (plan) => String(plan.monthlyQuota)],
  ['rps', 'calls per second', (plan) => String(plan.rps)],
  ['onDeactivate', 'on deactivation', (plan) => plan.onDeactivate],
  ['tenure', 'tenure', (plan) => plan.tenure],
  ['name', 'name', (plan) => plan.name],
  ['customers', 'customers', (plan) => plan.customers?.join(' ') ?? 'all'],
  ['operations', 'operations', (plan) => plan.operations?.join(' ') ?? 'all'],
  [
    'packs',
    'packs',
    (plan) =>
      plan.packs
        .map(({ packId, units, pricePaise }) => `${packId}: ${units} for ${formatRupees(pricePaise)}`)
        .join(', ') || 'none',
  ],
  ['costs', 'units', (plan) => unitsText(plan)],
];
