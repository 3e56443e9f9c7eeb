import type { Catalog, CatalogFiles, Product } from './catalog.ts';
import { methods, openApiDocument } from './openapi-document.ts';

/** What programs that read an API look for and do not find; nothing of it is a fault. */
export interface Advice {
  /** A product; undefined: the whole catalogue. */
  product?: string;
  /** What is missing. */
  missing: string;
  /** What to do. */
  todo: string;
}

/**
 * What an open rubric of agent readiness would miss of a catalogue. What the gateway and the portal write by themselves (authentication, errors,
 * limits, events, Idempotency-Key, llms.txt) is never missing; documents that are read from the API are not here to look at.
 */
export function adviceOf({ products, guides }: Pick<Catalog, 'products' | 'guides'>, files: CatalogFiles): Advice[] {
  const ofCatalog: Advice[] =
    guides.length > 0
      ? []
      : [{ missing: 'no guides', todo: 'write docs/quick-start.md and docs/authentication.md in the catalogue' }];
  return [...ofCatalog, ...products.flatMap((product) => adviceOfProduct(product, files))];
}

function adviceOfProduct({ id, sandbox, changelog, plans, openapi }: Product, files: CatalogFiles): Advice[] {
  const document = 'file' in openapi ? files.get(openapi.file) : undefined;
  const advise = (isMissing: boolean, missing: string, todo: string): Advice[] =>
    isMissing ? [{ product: id, missing, todo }] : [];
  return [
    ...advise(sandbox === undefined, 'no sandbox', 'set sandbox.upstreamUrl, so that test keys work'),
    ...advise(changelog.length === 0, 'an empty change log', 'add the first line to changelog'),
    ...advise(
      plans.every(({ customers }) => customers !== undefined),
      'no public price',
      'sell a plan without customers',
    ),
    ...(document === undefined ? [] : adviceOfDocument(document)).map((one) => ({ product: id, ...one })),
  ];
}

/** Half of the operations need an example to be enough. */
const enough = 0.5;

function adviceOfDocument(content: Buffer): Advice[] {
  const { paths, ...document } = openApiDocument.parse(JSON.parse(content.toString()));
  const operations = Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [item[method]])),
  );
  const withExample = operations.filter((one) => /"examples?":/.test(JSON.stringify(one))).length;
  const [few, noAccess] = [
    withExample < operations.length * enough,
    !/"x-agentic-access":/.test(JSON.stringify([document, operations])),
  ];
  return [
    ...(few
      ? [
          {
            missing: `examples of ${operations.length - withExample} of ${operations.length} operations`,
            todo: 'add example to their parameters, bodies and responses',
          },
        ]
      : []),
    ...(noAccess
      ? [
          {
            missing: 'what programs may do by themselves',
            todo: 'add x-agentic-access to the document or its operations, and say what can be undone and for how long',
          },
        ]
      : []),
  ];
}
