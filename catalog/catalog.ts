import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import { type DatedRate, rateOn } from '#shared/domain/gst-rate.ts';
import { toPaise } from '#shared/domain/money.ts';
import type { PackOffer } from '#shared/domain/pack.ts';
import { type PlanTerms, compareByPrice } from '#shared/domain/plan.ts';
import { apiLife, day } from './api-life.ts';
import { type Translation, type Translations, text, translationsIn, translationsOf } from './catalog-texts.ts';
import { gatewayOptions } from './gateway-options.ts';
import { type Guide, readGuides } from './guides.ts';
import { openApiPlace } from './openapi-place.ts';
import { costsOf, operationFaults, operationsSchema } from './operations.ts';
import { readRefusals, type Refusals, refusedSchema } from './refused-calls.ts';
import { quotaBenefits } from './quota-benefits.ts';
import { type ProductImages, productLook, readImages } from './product-look.ts';
import { planSchema, slug } from './plan-schema.ts';
import { repeatedNames, repeatedTranslations } from './repeated-names.ts';
import { upstreamUrl } from './upstream-url.ts';
import { issueFaults, parseYaml } from './yaml-file.ts';

const titled = z.strictObject({ title: text, text });

const percent = z.number().min(0).max(40);
const isInOrder = (rates: readonly { from: Day }[]): boolean =>
  rates.every(({ from }, index) => from > (rates[index - 1]?.from ?? ''));

/** First path segments of the gateway's own endpoints. */
const reservedPaths: ReadonlySet<string> = new Set(['health', 'metrics', 'openapi']);
const reservedPath = /^v\d+$/;

const productSchema = z.strictObject({
  id: slug,
  aliases: z.array(slug).default([]),
  /** Products are shown in the order of this number. */
  position: z.int().min(1),
  name: text,
  /** What its API is called once it is activated, where that is another name (product §2.25). */
  apiName: text.optional(),
  tagline: text,
  description: text,
  longDescription: text,
  features: z.array(titled).min(1),
  useCases: z.array(titled).default([]),
  /** Questions, each the title of its reply, for its public page. */
  faq: z.array(titled).default([]),
  /** A request and its response, for the product page. */
  sample: z.strictObject({ request: text, answer: text }),
  ...productLook,
  ...apiLife,
  /** Names of its operations and of their tags in the portal's reference; others are named as in its OpenAPI document. */
  operations: z.record(z.string(), text).default({}),
  tags: z.record(z.string(), text).default({}),
  /** The first path segment of the product on the gateway, without slashes. */
  gatewayPath: slug.refine(
    (path) => !reservedPaths.has(path) && !reservedPath.test(path),
    'is a path of the gateway itself',
  ),
  openapi: openApiPlace,
  /** Operations that cost other than one unit of quota, or that only some plans include. */
  metered: operationsSchema,
  /** Calls that no customer may make, besides those that its document marks `x-internal`. */
  refused: refusedSchema,
  /** How the gateway serves this product. */
  gateway: gatewayOptions.prefault({}),
  /** Where the gateway forwards calls, unless the environment overrides it. */
  upstreamUrl,
  /** The sandbox for calls of test keys; a product without one has no test keys. */
  sandbox: z
    .strictObject({
      /** Where the gateway forwards calls of test keys, unless the environment overrides it. */
      upstreamUrl,
      /** The daily limit (IST) of a customer's calls with all test keys of this product together. */
      dailyCalls: z.int().min(1).max(1_000_000).default(1000),
    })
    .optional(),
  /** SAC of the service, six digits, for the invoice. To be confirmed by the operator's accountant. */
  sac: z.string().regex(/^99\d{4}$/),
  /** One rate, or a list of rates with their first days, oldest first: a change of rate is a further line. */
  gstRatePercent: z.union([
    percent,
    z
      .array(z.strictObject({ from: day, percent }))
      .min(1)
      .refine(isInOrder, 'must be in the order of its days'),
  ]),
  tax: z.enum(['inclusive', 'exclusive']).default('inclusive'),
  onDeactivate: z.enum(['lose', 'refund-unused']).default('lose'),
  /** Names of the categories of its plans; a category without one is named as it is written. */
  categories: z.record(slug, text).default({}),
  plans: z.array(planSchema).min(1),
});

/** A plan of the catalogue: the terms for sale, its category, and its tax rates over time. */
export interface CatalogPlan extends Omit<PlanTerms, 'gstRateBasisPoints'> {
  category: string;
  gstRates: readonly DatedRate[];
  packs: readonly PackOffer[];
  /** The only customers of a private plan: the addresses they sign in with, in lower case. */
  customers?: readonly string[] | undefined;
}

/** A product, as described by a file in catalog/. */
export type Product = Omit<
  z.output<typeof productSchema>,
  'plans' | 'tax' | 'onDeactivate' | 'gstRatePercent' | 'refused' | 'openapi'
> &
  Refusals & {
    plans: CatalogPlan[];
    gstRates: readonly DatedRate[];
    /** Its texts, plans included, in other languages. */
    translations: Translations;
    /** Where its OpenAPI document is: at the upstream, or among the files of the catalogue. Nobody keeps a large one who only sells. */
    openapi: { path: string } | { file: string; sha256: string };
    /** Its icon and picture, where they are files. */
    images: ProductImages;
  };

/** All products and guides, in the order of their positions, with common look-ups. */
export interface Catalog {
  products: readonly Product[];
  guides: readonly Guide[];
  /** By id or alias (product §8.3). */
  find(id: string): Product | undefined;
}

/** The catalogue has errors; `faults` lists each with file, line and message. */
export class CatalogFaults extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[], heading = 'The catalogue has errors:') {
    super(`${heading}\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Whether a path in a catalogue's folder is that of a product file: those lie beside each other, and are not hidden. */
export const isProductFile = (path: string): boolean => /^[^./][^/]*\.yaml$/.test(path);

/** The files of a catalogue, by their path in its folder. */
export type CatalogFiles = ReadonlyMap<string, Buffer>;

/** Reads and checks every product file and guide. Throws CatalogFaults listing each error with its file and line. */
export function catalogOf(files: CatalogFiles): Catalog {
  const faults: string[] = [];
  const names = [...files.keys()].filter(isProductFile).toSorted();
  const bytes = names.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
  if (bytes > maxProductsBytes)
    throw new CatalogFaults([`The product files have ${bytes} bytes; the limit is ${maxProductsBytes}`]);
  const read = names.flatMap((name) => readProduct(files, name, faults));
  const products = read.map(({ product }) => product).toSorted((a, b) => a.position - b.position);
  if (names.length === 0) faults.push('There is no product file (*.yaml)');
  const guides = readGuides(files, new Set(products.map(({ id }) => id)), faults);
  faults.push(...repeatedNames(read), ...repeatedTranslations(read));
  if (faults.length > 0) throw new CatalogFaults(faults);
  return catalogWith(products, guides);
}

/** Products and guides with their look-ups. */
export function catalogWith(products: Catalog['products'], guides: Catalog['guides']): Catalog {
  const byName = new Map(
    products.flatMap((product) => [product.id, ...product.aliases].map((name) => [name, product])),
  );
  return { products, guides, find: (id) => byName.get(id) };
}

/** A product, and where a field of it stands in its file. */
interface ReadProduct {
  product: Product;
  texts: readonly Translation[];
  placeOf: (field: readonly PropertyKey[]) => string;
}

const maxProductBytes = 256 * 1024;
/** Of all product files: reading YAML takes seconds per megabyte. */
const maxProductsBytes = 2 * 1024 * 1024;

function readProduct(files: CatalogFiles, file: string, faults: string[]): ReadProduct[] {
  const source = files.get(file) ?? Buffer.alloc(0);
  if (source.length > maxProductBytes) {
    faults.push(`${file}: has ${source.length} bytes; the limit of a product file is ${maxProductBytes}`);
    return [];
  }
  const yaml = parseYaml(source.toString(), file, faults);
  if (yaml === undefined) return [];
  const { content, placeOf } = yaml;
  const parsed = productSchema.safeParse(content);
  if (!parsed.success) {
    faults.push(...issueFaults(parsed.error, yaml));
    return [];
  }
  const { plans, tax, onDeactivate, gstRatePercent, ...product } = parsed.data;
  const fault = (field: readonly PropertyKey[], message: string): void =>
    void faults.push(`${placeOf(field)}: ${field.join('.')}: ${message}`);
  const document = 'file' in product.openapi ? files.get(product.openapi.file) : undefined;
  const refusals = readRefusals(product, document, fault);
  const sha256 = createHash('sha256')
    .update(document ?? '')
    .digest('hex');
  const openapi = 'file' in product.openapi ? { ...product.openapi, sha256 } : product.openapi;
  const images = readImages(product, files, (field, message) => fault([field], message));
  plans.forEach(({ id, packs }, index) => {
    packs.forEach((pack, place) => {
      if (packs.findIndex((other) => other.id === pack.id) < place)
        faults.push(
          `${placeOf(['plans', index, 'packs', place])}: two packs of the plan "${id}" are called "${pack.id}"`,
        );
    });
    if (plans.findIndex((other) => other.id === id) < index)
      faults.push(`${placeOf(['plans', index, 'id'])}: two plans are called "${id}"`);
  });
  for (const { field, message } of operationFaults(product.metered, plans)) fault(field, message);
  const gstRates = datedRates(gstRatePercent);
  const sold = plans.map(({ id, price, packs, ...plan }) => ({
    ...plan,
    benefits:
      plan.benefits.length > 0
        ? plan.benefits
        : quotaBenefits(plan).map(({ translations: _translations, ...benefit }) => benefit),
    packs: packs.map((pack) => ({
      packId: pack.id,
      name: pack.name,
      units: pack.units,
      pricePaise: toPaise(pack.price),
    })),
    planId: id,
    costs: costsOf(product.metered, plan.operations),
    pricePaise: toPaise(price),
    tax,
    onDeactivate,
    gstRates,
    sac: product.sac,
  }));
  const texts = translationsIn(content);
  const derived = plans.filter(({ benefits }) => benefits.length === 0).flatMap(quotaBenefits);
  const translations = translationsOf([...derived.flatMap(({ translations: all }) => all), ...texts]);
  return [
    {
      product: { ...product, ...refusals, openapi, plans: sold, gstRates, translations, images },
      texts,
      placeOf,
    },
  ];
}

/** A single rate applies since GST began, 1 July 2017. */
function datedRates(given: number | readonly { from: Day; percent: number }[]): DatedRate[] {
  const rates = typeof given === 'number' ? [{ from: '2017-07-01', percent: given }] : given;
  return rates.map(({ from, percent: rate }) => ({ from, basisPoints: Math.round(rate * 100) }));
}

/** The plans of a product grouped by category, in the catalogue's order; inside a group free first, then by price (product §2.17). */
export function plansByCategory(product: Product): Map<string, CatalogPlan[]> {
  const groups = new Map<string, CatalogPlan[]>();
  for (const plan of product.plans) groups.set(plan.category, [...(groups.get(plan.category) ?? []), plan]);
  for (const plans of groups.values()) plans.sort(compareByPrice);
  return groups;
}

/** One plan of a product, or undefined. */
export function findPlan(product: Product, planId: string): CatalogPlan | undefined {
  return product.plans.find((plan) => plan.planId === planId);
}

/**
 * The terms of a plan, as stored by a cycle that starts on a day, with that day's tax rate and without its place in the
 * catalogue.
 */
export function termsOf(
  { category: _category, packs: _packs, customers: _customers, gstRates, ...terms }: CatalogPlan,
  startsOn: Day,
): PlanTerms {
  return { ...terms, gstRateBasisPoints: rateOn(gstRates, startsOn) };
}

/** The name of a product; 'Unknown API' for one that has been removed from the catalogue (product §2.25). */
export function productName(catalog: Catalog, productId: string): string {
  return catalog.find(productId)?.name ?? 'Unknown API';
}
