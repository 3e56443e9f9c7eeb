import { z } from 'zod';
import { countingOf } from '#shared/domain/metering.ts';
import { type CallCost, operationFinder } from '#shared/domain/operation.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { text } from './catalog-texts.ts';

/** A path as in the OpenAPI document. */
export const documentedPath = z
  .string()
  .regex(/^\/[\x21-\x3e\x40-\x7e]*$/, 'must be a path that begins with /, without a query');

const status = z.union(
  [
    z
      .int()
      .min(200)
      .max(599)
      .refine((each) => countingOf(each) !== 'never', 'is a status that never counts'),
    z.enum(['2xx', '3xx', '4xx']),
  ],
  'must be a status such as 200, or 2xx, 3xx or 4xx',
);

/** Units of quota that one call uses; 0 for a free operation. */
export const unitsPerCall = z.int().min(0).max(1_000_000);

/** Operations of a product that cost other than one unit per call, or that only some plans include. */
export const operationsSchema = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,80}$/, 'must be a name such as bulkLookUp'),
      name: text.refine((words) => words.length <= 80, 'must have at most 80 characters'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: documentedPath,
      units: unitsPerCall.default(1),
      /** Only these statuses count, of those that count anyway. */
      counts: z.array(status).min(1).optional(),
    }),
  )
  .default([]);

/** An operation that the catalogue lists. */
export type CatalogOperation = z.output<typeof operationsSchema>[number];

/** The operations that cost other than one unit per counted response, by id; undefined if there are none. */
export function costsOf(
  operations: readonly CatalogOperation[],
  included: readonly string[] | undefined,
): Record<string, CallCost> | undefined {
  const costs = operations
    .filter(({ id, units, counts }) => (units !== 1 || counts !== undefined) && (included?.includes(id) ?? true))
    .map(({ id, units, counts }) => [id, counts === undefined ? { units } : { units, counts }] as const);
  return costs.length === 0 ? undefined : Object.fromEntries(costs);
}

/** What the terms of a plan say of operations, with their names; an operation that is no longer listed keeps its id. */
export function describeOperations(
  operations: readonly CatalogOperation[],
  terms: Pick<PlanTerms, 'costs' | 'operations'>,
) {
  const nameOf = (id: string): string => operations.find((each) => each.id === id)?.name ?? id;
  return {
    costs: Object.entries(terms.costs ?? {}).map(([id, { units, counts }]) => ({
      operation: nameOf(id),
      units,
      statuses: counts?.map(String) ?? null,
    })),
    operations: terms.operations?.map(nameOf) ?? null,
  };
}

/** A fault of a product's operations, and the field that it is in. */
export interface OperationFault {
  field: readonly PropertyKey[];
  message: string;
}

/** Operations that are listed twice, and names of operations that do not exist. */
export function operationFaults(
  operations: readonly CatalogOperation[],
  plans: readonly { operations?: readonly string[] | undefined; dailyQuota: number; monthlyQuota: number }[],
): OperationFault[] {
  const faults: OperationFault[] = [];
  operations.forEach(({ id, method, path }, index) => {
    const before = operations.slice(0, index);
    if (before.some((other) => other.id === id))
      faults.push({ field: ['metered', index, 'id'], message: `two operations are called "${id}"` });
    const same = operationFinder(before)(method, path)?.[0];
    const other = before.find((each) => each.id === same);
    if (other !== undefined && operationFinder([{ id, method, path }])(method, other.path)?.[0] === id)
      faults.push({ field: ['metered', index, 'path'], message: `is the same path as that of "${same}"` });
  });
  plans.forEach(({ operations: included, dailyQuota, monthlyQuota }, index) => {
    included?.forEach((id, place) => {
      if (!operations.some((each) => each.id === id))
        faults.push({
          field: ['plans', index, 'operations', place],
          message: `"${id}" is no operation of this product. List it under metered with its method and path.`,
        });
    });
    const dearest = operations
      .filter(({ id }) => included?.includes(id) ?? true)
      .find(({ units }) => units > Math.min(dailyQuota, monthlyQuota));
    if (dearest !== undefined)
      faults.push({
        field: ['plans', index],
        message: `a call of "${dearest.id}" costs ${dearest.units} units, more than the quota of this plan`,
      });
  });
  return faults;
}
