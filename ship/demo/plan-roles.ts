import type { Plan, Product } from '#shared/contract/marketplace.ts';

/** A plan of at most a month: the stories buy one after the other on fixed days. */
const monthDays = 30;

/** The plans of a product that the stories speak of, whatever the catalogue calls them. */
export interface Roles {
  productId: string;
  /** The product starts with a plan of its own choice, such as a trial; otherwise with the small one. */
  startsFree: boolean;
  small: string;
  medium: string;
  large: string;
  /** Longer than a month, or the small one. */
  long: string;
  /** Costs nothing; undefined if there is none. */
  free: string | undefined;
}

/** The products that the stories can be told about, in the order of the catalogue: those with a paid plan of at most a month. */
export function rolesOf(products: readonly Product[]): Roles[] {
  return products.flatMap(({ id, plans, activateNow }) => {
    const paid = plans.filter(({ price }) => price > 0).toSorted((a, b) => a.price - b.price);
    const monthly = paid.filter(({ maxDays }) => maxDays <= monthDays);
    const [small] = monthly;
    if (small === undefined) return [];
    const at = (place: number): Plan => monthly[Math.min(place, monthly.length - 1)] ?? small;
    return {
      productId: id,
      startsFree: activateNow !== null,
      small: small.id,
      medium: at(1).id,
      large: at(2).id,
      long: (paid.find(({ maxDays }) => maxDays > monthDays) ?? small).id,
      free: plans.find(({ price, tenure }) => price === 0 && tenure !== 'TRIAL')?.id,
    };
  });
}
