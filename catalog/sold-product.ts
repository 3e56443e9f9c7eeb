import { isMap, isSeq, parseDocument, parse } from 'yaml';
import { z } from 'zod';
import { gatewayOptions } from './gateway-options.ts';
import type { ImportChoices, ImportedProduct } from './import-openapi.ts';
import { saySoldSignIn } from './imported-credentials.ts';
import { saySoldUnits } from './imported-units.ts';
import { isForwarded, listOperations, type OpenApiDocument } from './openapi-document.ts';
import { operationsSchema } from './operations.ts';
import { ImportFault } from './read-openapi.ts';

/** Written once, or in each language. */
const textSchema = z.union([z.string(), z.looseObject({ en: z.string() }).transform(({ en }) => en)]);

/** Of a product file in effect, which was checked as a whole: what a draft decides first. */
const soldSchema = z.object({
  name: textSchema,
  gatewayPath: z.string(),
  upstreamUrl: z.string(),
  openapi: z.object({ file: z.string().optional() }).optional(),
  gateway: gatewayOptions.prefault({}),
  metered: operationsSchema,
  plans: z.array(
    z.object({
      id: z.string(),
      name: textSchema,
      price: z.number(),
      dailyQuota: z.number(),
      monthlyQuota: z.number(),
      rps: z.number(),
    }),
  ),
});

/** Throws ImportFault for a file that somebody has broken since. */
function readSold(soldYaml: string): z.output<typeof soldSchema> {
  const { contents, errors } = parseDocument(soldYaml);
  const read = soldSchema.safeParse(errors.length === 0 && contents !== null ? parse(soldYaml) : undefined);
  if (read.success) return read.data;
  throw new ImportFault('The file of the product that is to be replaced has faults: octroi catalog check lists them.');
}

/** What a product on sale decided before: it stays, unless something else is chosen. */
export function choicesOf(soldYaml: string): Pick<ImportChoices, 'name' | 'gatewayPath' | 'upstreamUrl' | 'plans'> {
  const { name, gatewayPath, upstreamUrl, plans } = readSold(soldYaml);
  return { name, gatewayPath, upstreamUrl, plans };
}

/** The file of a product on sale with what was chosen for its new document. Comments and everything else stay as they are. */
export function withDocument(
  soldYaml: string,
  { name, gatewayPath, upstreamUrl, plans, openApiFile, documentNotes }: ImportedProduct,
  document: OpenApiDocument,
): Pick<ImportedProduct, 'yaml' | 'openApiFile' | 'remaining'> {
  const sold = readSold(soldYaml);
  const file = parseDocument(soldYaml);
  const set = (path: (string | number)[], value: unknown) => {
    const place = isMap(file.getIn(path, true)) ? [...path, 'en'] : path;
    if (file.getIn(place) !== value) file.setIn(place, value);
  };
  set(['name'], name);
  set(['gatewayPath'], gatewayPath);
  set(['upstreamUrl'], upstreamUrl);
  const list = file.get('plans');
  for (const { id, ...terms } of plans) {
    const at = isSeq(list) ? list.items.findIndex((item) => isMap(item) && item.get('id') === id) : -1;
    if (at < 0) throw new ImportFault(`The product on sale has no plan ${id}. Add it to the file of the product.`);
    for (const [field, value] of Object.entries(terms)) set(['plans', at, field], value);
  }
  const documentFile = sold.openapi?.file ?? openApiFile;
  if (sold.openapi?.file === undefined) file.set('openapi', file.createNode({ file: documentFile }));
  return {
    yaml: file.toString({ lineWidth: 120 }),
    openApiFile: documentFile,
    remaining: [
      ...documentNotes,
      ...whatDiffers(document, sold),
      'Texts, metered operations, credentials and the sandbox stay as they are. Change them in the file of the product.',
    ],
  };
}

/** What a product that is made from the document would have otherwise than the one on sale. */
function whatDiffers(document: OpenApiDocument, { gateway, metered }: z.output<typeof soldSchema>): string[] {
  const { sold: operations } = listOperations(document);
  const notes: string[] = [];
  const [left, ...others] = operations.filter(({ path }) => !isForwarded(gateway.paths, path));
  if (left !== undefined)
    notes.push(
      `${left.method.toUpperCase()} ${left.path}${others.length === 0 ? '' : ` and ${others.length} more`}: the gateway forwards /v1/…, /v2/… only. Set paths: any under gateway if customers shall call it.`,
    );
  saySoldUnits(operations, metered, notes);
  saySoldSignIn(document, operations, gateway, notes);
  return notes;
}
