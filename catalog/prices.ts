import { parse } from 'yaml';
import { z } from 'zod';
import { isProductFile } from './catalog.ts';

/** A price before and after a change, in rupees; null where there is none. */
export interface PriceChange {
  product: string;
  /** The plan, or the plan and its pack: `starter`, `starter/extra-1000`. */
  plan: string;
  before: number | null;
  after: number | null;
}

const priced = z.object({ id: z.string(), price: z.number() });
const plan = priced.extend({ packs: z.array(priced).catch([]) });
const withPrices = z.object({ id: z.string(), plans: z.array(plan.nullable().catch(null)) });

/** The prices in product files, whether or not the rules of this version accept the rest of them. */
export function pricesIn(
  files: ReadonlyMap<string, Buffer>,
): Map<string, Omit<PriceChange, 'before' | 'after'> & { price: number }> {
  const found = [...files].flatMap(([path, content]) => {
    if (!isProductFile(path)) return [];
    const read = withPrices.safeParse(contentOf(content));
    if (!read.success) return [];
    const { id: product, plans } = read.data;
    return plans
      .filter((each) => each !== null)
      .flatMap(({ id, price, packs }) => [
        { product, plan: id, price },
        ...packs.map((pack) => ({ product, plan: `${id}/${pack.id}`, price: pack.price })),
      ]);
  });
  return new Map(found.map((each) => [`${each.product} ${each.plan}`, each]));
}

function contentOf(yaml: Buffer): unknown {
  try {
    return parse(yaml.toString(), { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/** Every price that differs, one that is new or gone too. */
export function comparePrices(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): PriceChange[] {
  const [old, now] = [pricesIn(before), pricesIn(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const { product, plan } = is ?? was ?? { product: '', plan: '' };
    return was?.price === is?.price ? [] : [{ product, plan, before: was?.price ?? null, after: is?.price ?? null }];
  });
}

const shown = (price: number | null): string => (price === null ? 'none' : `₹${price.toLocaleString('en-IN')}`);

/** `plan starter: price ₹499 → ₹599` */
export const priceText = ({ plan, before, after }: PriceChange): string =>
  `plan ${plan}: price ${shown(before)} → ${shown(after)}`;
