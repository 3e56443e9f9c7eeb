import { operationFinder } from '#shared/domain/operation.ts';
import type { CatalogOperation } from './operations.ts';

/**
 * Plans are sold with the ids of operations (decision 041); which calls those are, the catalogue says. So an id that is gone, or is another
 * call, changes plans that were sold: their calls cost other units, or are refused.
 */

interface Change {
  change: string;
  affects: string;
}
type Operations = readonly CatalogOperation[];

const whose = 'Every customer whose plan was sold with it, from the next call on:';
const asUnlisted =
  'a call is 1 unit, whatever was sold, and a plan that was sold with a list of operations refuses it.';

const callOf = ({ method, path }: CatalogOperation): string => `${method} ${path}`;

/** What plans that were sold before notice of a product's listed operations. */
export function compareSoldOperations(before: Operations, after: Operations): Change[] {
  const gone = before.flatMap((old): Change[] => {
    const now = after.find(({ id }) => id === old.id);
    if (now === undefined) {
      const renamed = after.find((each) => callOf(each) === callOf(old));
      const change = renamed === undefined ? 'is no longer listed' : `is called ${renamed.id}`;
      const remedy = renamed === undefined ? '' : ` With the id ${old.id} nothing changes for them.`;
      return [{ change: `operation ${old.id} (${callOf(old)}) ${change}`, affects: `${whose} ${asUnlisted}${remedy}` }];
    }
    if (callOf(now) === callOf(old)) return [];
    return [
      {
        change: `operation ${old.id} is another call: ${callOf(old)} → ${callOf(now)}`,
        affects: `${whose} what was sold for it holds for the new call. Of the old one, if nothing else lists it, ${asUnlisted}`,
      },
    ];
  });
  const added = after
    .filter(({ id }) => !before.some((old) => old.id === id))
    .flatMap((now): Change[] => {
      const same = sharedWith(now, before);
      if (same.length === 0) return [];
      return [
        {
          change: `operation ${now.id} (${callOf(now)}) takes calls that were of ${same.join(', ')}`,
          affects: `Every customer whose plan was sold before, from the next call on: of such a call, ${asUnlisted}`,
        },
      ];
    });
  return [...gone, ...added];
}

/** The operations of which the new one takes some calls. */
function sharedWith(now: CatalogOperation, others: Operations): string[] {
  return others
    .filter((other) => {
      if (callOf(other) === callOf(now)) return false;
      const path = commonPath(other.path, now.path);
      const ids = path === undefined ? [] : operationFinder([other, now])(other.method, path);
      return ids === undefined || ids.includes(now.id);
    })
    .map(({ id }) => id);
}

const isOpen = (segment: string): boolean => segment.includes('{');

/** A path that fits both templates, as far as their fixed segments allow. */
function commonPath(one: string, other: string): string | undefined {
  const [left, right] = [one.split('/'), other.split('/')];
  if (left.length !== right.length) return undefined;
  const segments = left.map((segment, index) => {
    const beside = right[index] ?? '';
    if (isOpen(segment)) return isOpen(beside) ? 'x' : beside;
    return isOpen(beside) || segment === beside ? segment : undefined;
  });
  return segments.includes(undefined) ? undefined : segments.join('/');
}
