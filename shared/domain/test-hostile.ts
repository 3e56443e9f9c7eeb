const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** A key that looks like a promise's is written so. */
export const whenTrue = (schema: object): object => ({ [String.raw`then`]: schema });

export const numbered = <Part>(count: number, part: (index: number) => Part): Record<string, Part> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, part(index)]));

/** Schemas of which each is in the one before in two ways: reading all of them doubles the work at each level. */
export const doubledSchemas = numbered(46, (index) =>
  index === 45
    ? { type: 'object', example: { a: 1 } }
    : {
        type: 'object',
        oneOf: [reference(`S${index + 1}`)],
        if: {},
        ...whenTrue({ oneOf: [reference(`S${index + 1}`)] }),
      },
);

/** A schema that is changed in each of many places. */
export const copiedSchema = {
  type: 'object',
  properties: numbered(1400, () => ({ ...reference('Wide'), properties: { x: {} } })),
};

/** What `copiedSchema` refers to. */
export const wideSchema = (width: number): object => ({ example: 1, properties: numbered(width, () => ({})) });

/** Texts of gigabytes. */
export const longTexts = { type: 'object', properties: numbered(500, () => ({ type: 'string', minLength: 5e8 })) };
