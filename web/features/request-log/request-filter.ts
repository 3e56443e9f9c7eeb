import type { RequestFilter } from '#shared/contract/request-log.ts';
import { isDay } from '#shared/domain/day.ts';

/** The filter from the page's URL; invalid values are ignored. */
export function readRequestFilter(search: URLSearchParams): RequestFilter {
  const day = (name: string) => {
    const text = search.get(name) ?? '';
    return isDay(text) ? text : undefined;
  };
  const status = search.get('status') ?? '';
  const counted = search.get('counted');
  const q = search.get('q')?.trim().slice(0, 200) ?? '';
  const filter = {
    from: day('from'),
    to: day('to'),
    keyId: search.get('key') ?? undefined,
    status: /^[1-5](?:xx|\d\d)$/.test(status) ? status : undefined,
    counted: counted === 'yes' || counted === 'no' ? counted : undefined,
    q: q === '' ? undefined : q,
  } as const;
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
