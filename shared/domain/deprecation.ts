import { type Day, startOfDay } from './day.ts';
import { operationFinder } from './operation.ts';

/** A product, a version of it or one operation, which customers should stop using. */
export interface Deprecation {
  /** `product`, a version such as `v1`, or an operation such as `GET /v1/shops/{id}`. */
  of: string;
  /** Since when, in IST; may be in the future. */
  since: Day;
  /** From this day on it may be gone. */
  sunset?: Day | undefined;
  /** What to use instead. */
  note: string;
  /** A page about it; default: the reference of the product. */
  link?: string | undefined;
}

/** Names a deprecation for good: another day is another one, of which customers are told again. */
export function deprecationId({ of, since, sunset }: Deprecation): string {
  return `${of}@${since}${sunset === undefined ? '' : `..${sunset}`}`;
}

/** Is a call, or an operation of an OpenAPI document, of what is deprecated? `path`: below the product's own path; may have a query. */
export function deprecationMatcher({ of }: Pick<Deprecation, 'of'>): (method: string, path: string) => boolean {
  if (of === 'product') return () => true;
  const [method = '', path] = of.split(' ', 2);
  if (path === undefined) return (_method, called) => called.slice(1).split(/[/?]/, 1)[0] === of;
  const operationsOf = operationFinder([{ id: of, method, path }]);
  return (calledMethod, called) => operationsOf(calledMethod, called)?.includes(of) === true;
}

/**
 * The headers of a response: `Deprecation` (RFC 9745, a date of structured fields), `Sunset` (RFC 8594) and links to more about both.
 * Several deprecations of one call: the earliest days. `page`: the address of the product's reference.
 */
export function deprecationHeaders(
  deprecations: readonly Deprecation[],
  page: string,
): [name: string, value: string][] {
  const [since] = deprecations.map((each) => each.since).toSorted();
  const [sunset] = deprecations.flatMap((each) => each.sunset ?? []).toSorted();
  if (since === undefined) return [];
  const links = [...new Set(deprecations.map(({ link }) => link ?? page))];
  return [
    ['Deprecation', `@${startOfDay(since) / 1000}`],
    ...(sunset === undefined ? [] : [['Sunset', new Date(startOfDay(sunset)).toUTCString()] as [string, string]]),
    ...links.map((link): [string, string] => ['Link', `<${link}>; rel="deprecation"; type="text/html"`]),
    ...(sunset === undefined
      ? []
      : links.map((link): [string, string] => ['Link', `<${link}>; rel="sunset"; type="text/html"`])),
  ];
}
