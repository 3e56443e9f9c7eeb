import { asMembers } from '#shared/domain/members.ts';
import { type ApiDescription, asText, entriesOf, resolved } from '#web/features/reference/api-description.ts';
import { type Schema, readSchema } from '#web/features/reference/schema.ts';

/** A parameter of an operation. */
export interface OperationParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  deprecated: boolean;
  description: string | undefined;
  schema: Schema;
  /** As typed into a field; empty when the document has none. */
  example: string;
  /** How a list or an object is written. */
  style: string;
  explode: boolean;
  /** Reserved characters are sent as they are typed. */
  allowReserved: boolean;
  /** The value is JSON. */
  isJson: boolean;
}

/** OpenAPI gives these headers no meaning as parameters; the key and the body decide them. */
const ignoredHeaders = new Set(['accept', 'authorization', 'content-type']);

/** The parameters of an operation: later ones replace earlier ones, as those of an operation replace those of its path. */
export function parametersOf(description: ApiDescription, given: readonly unknown[]): OperationParameter[] {
  const read = given.flatMap((each) => parameterOf(description, each));
  return [...new Map(read.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

function parameterOf(description: ApiDescription, given: unknown): OperationParameter[] {
  const read = resolved(description, given);
  const { name, in: place } = read;
  if (typeof name !== 'string' || name === '') return [];
  if (place !== 'path' && place !== 'query' && place !== 'header') return [];
  if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) return [];
  const [media] = entriesOf(read['content']);
  const schema = readSchema(description, read['schema'] ?? asMembers(media?.[1])?.['schema']);
  const [named] = entriesOf(read['examples']).map(([, each]) => resolved(description, each)['value']);
  const example = read['example'] ?? named ?? schema.examples[0];
  const style = asText(read['style']) ?? (place === 'query' ? 'form' : 'simple');
  return [
    {
      name,
      in: place,
      required: place === 'path' || read['required'] === true,
      deprecated: read['deprecated'] === true,
      description: asText(read['description']) ?? schema.description,
      schema,
      example: typeof example === 'string' ? example : (JSON.stringify(example) ?? ''),
      style,
      explode: typeof read['explode'] === 'boolean' ? read['explode'] : style === 'form',
      allowReserved: read['allowReserved'] === true,
      isJson: media !== undefined && /\bjson\b/.test(media[0]),
    },
  ];
}
