import { operationFinder } from '#shared/domain/operation.ts';
import type { Listed } from './openapi-document.ts';
import { type CatalogOperation, operationsSchema, unitsPerCall } from './operations.ts';
import { firstSentence, plainText } from './plain-text.ts';

interface Metered {
  id: string;
  name: string;
  method: string;
  path: string;
  units: number;
}

function meteredAs({ path, method, operation }: Listed, units: number): Metered {
  const { operationId, summary }: { operationId?: unknown; summary?: string | undefined } = operation;
  const derived = `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`.replace(/-+$/, '');
  const id = typeof operationId === 'string' && operationIdForm.test(operationId) ? operationId : derived.slice(0, 80);
  const name = firstSentence(plainText(summary ?? '')).slice(0, 80);
  return { id, name: name === '' ? id : name, method: method.toUpperCase(), path, units };
}
const operationIdForm = /^[A-Za-z][A-Za-z0-9_.-]{0,80}$/;

/** What the document says that a call of an operation costs. */
function unitsOf({ operation }: Listed): unknown {
  const { 'x-octroi-units': units }: Record<string, unknown> = { ...operation };
  return units;
}

/** Operations whose document says what they cost, by `x-octroi-units`. */
export function meteredOf(operations: readonly Listed[], remaining: string[]): Metered[] {
  const all = operations.flatMap((listed) => {
    const units = unitsOf(listed);
    return typeof units === 'number' ? [meteredAs(listed, units)] : [];
  });
  return all.filter((metered) => {
    const fault = operationsSchema.safeParse([metered]).error?.issues[0];
    if (fault !== undefined)
      remaining.push(
        `${metered.method} ${metered.path} costs one unit a call, not ${metered.units}: metered can't list it (${fault.path.at(-1)?.toString()}: ${fault.message}).`,
      );
    return fault === undefined;
  });
}

/** Each operation whose units in the document are not those of the product on sale, which keeps what it has metered. */
export function saySoldUnits(
  operations: readonly Listed[],
  metered: readonly CatalogOperation[],
  notes: string[],
): void {
  const marked = meteredOf(operations, notes);
  if (marked.length === 0) return;
  const find = operationFinder(metered);
  for (const { method, path } of operations.map((each) => ({ ...each, method: each.method.toUpperCase() }))) {
    const said = marked.find((each) => each.method === method && each.path === path)?.units ?? 1;
    const listed = metered.find(({ id }) => id === find(method, path)?.[0]);
    const costs = listed?.units ?? 1;
    if (said !== costs)
      notes.push(
        `${method} ${path}: a call costs ${unitsText(costs)} (${listed === undefined ? 'metered does not list it' : `metered, ${listed.id}`}), and the document says ${said}. Change metered if the document is right.`,
      );
  }
}

const unitsText = (units: number): string => (units === 1 ? '1 unit' : `${units} units`);

/** The first operation whose cost is no number of units, in one sentence. */
export function unitsFault(operations: readonly Listed[]): string | undefined {
  const odd = operations.find((listed) => {
    const units = unitsOf(listed);
    return units !== undefined && !unitsPerCall.safeParse(units).success;
  });
  return (
    odd &&
    `${odd.method.toUpperCase()} ${odd.path} has x-octroi-units ${JSON.stringify(unitsOf(odd))}: write a whole number from 0 to 1,000,000.`
  );
}

/** Lines of a comment that show how operations that do more work per call can cost more units. */
export function meteredExample(operations: readonly Listed[]): string[] {
  const dear = operations.filter(({ path, method, operation }) =>
    /bulk|batch|export|import|search|report/i.test(`${method} ${path} ${operation.summary ?? ''}`),
  );
  if (dear.length === 0) return [];
  const lines = dear.slice(0, 3).map((each) => ` - ${JSON.stringify(meteredAs(each, 10))}`);
  return [
    ' A call costs one unit of quota. If one of these does the work of many, list it with its units:',
    ' metered:',
    ...lines,
  ];
}
