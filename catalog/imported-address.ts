import type { Listed, OpenApiDocument } from './openapi-document.ts';

type Server = NonNullable<OpenApiDocument['servers']>[number];

/** What a provider said about the address of the API. */
interface AddressChoices {
  upstreamUrl?: string | undefined;
  source?: string | undefined;
}

const isComplete = (url: string): boolean => /^https?:\/\/[^{}]+$/.test(url);

/** Variables are replaced by their defaults, and a relative address begins where the document was read. */
function filled({ url, variables }: Server, source: string | undefined): string {
  const text = url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = variables?.[name]?.default;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text);
  return isRelative && source !== undefined && URL.canParse(text, source) ? new URL(text, source).href : text;
}

/** Where the gateway forwards calls to: the choice, or the first complete address of the document; undefined without one. */
export function addressOf(
  { servers = [], paths }: OpenApiDocument,
  operations: readonly Listed[],
  { upstreamUrl, source }: AddressChoices,
  remaining: string[],
): string | undefined {
  const chosen = servers.find((server) => isComplete(filled(server, source)));
  const address = upstreamUrl ?? (chosen && filled(chosen, source).replace(/(?<!\/)\/+$/, ''));
  if (upstreamUrl === undefined && chosen?.url.includes('{') === true)
    remaining.push(`Check upstreamUrl: ${address} has the defaults of the variables in ${chosen.url}.`);
  const [first] = servers;
  const base = first === undefined ? '/' : pathOf(filled(first, source));
  if (upstreamUrl !== undefined && pathOf(upstreamUrl) === '/' && base !== '/')
    remaining.push(
      `Check upstreamUrl: the API of the document begins at ${base}, and the address that you gave does not.`,
    );
  const own = operations.find(
    ({ path, operation }) => Array.isArray(paths[path]?.['servers']) || Array.isArray(operation['servers']),
  );
  if (own !== undefined)
    remaining.push(
      `Check ${own.method.toUpperCase()} ${own.path}: it has a server of its own in the document, and the gateway forwards all calls to upstreamUrl.`,
    );
  return address;
}

function pathOf(url: string): string {
  const { pathname } = URL.canParse(url, 'http://none') ? new URL(url, 'http://none') : { pathname: '/' };
  return pathname.replace(/(?<!\/)\/+$/, '') || '/';
}
