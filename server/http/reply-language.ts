import { z } from 'zod';
import { catalogNamesSchema, catalogTextSchema } from '#shared/contract/values.ts';

/** Texts of the catalogue in replies, in the language that a request asks for (decision 38). */

type Translate = (english: string) => string;
type Translation = (value: unknown, translate: Translate) => unknown;

/** Hindi if `Accept-Language` prefers it to English, else English: the texts of the specification. */
export function languageOf(acceptLanguage: string | undefined): 'en' | 'hi' {
  const ranges = (acceptLanguage ?? '').split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = Number(parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean) ?? 1);
    const language = range.split('-')[0];
    return language === 'hi' || language === 'en' || language === '*' ? [{ language, quality }] : [];
  });
  const [first] = ranges.toSorted((a, b) => b.quality - a.quality);
  return first?.language === 'hi' && first.quality > 0 ? 'hi' : 'en';
}

/** Translates the catalogue's texts in values of a schema; undefined when it has none. */
export function translationOf(schema: z.core.$ZodType): Translation | undefined {
  if (schema === catalogTextSchema) return (value, translate) => (typeof value === 'string' ? translate(value) : value);
  if (schema === catalogNamesSchema)
    return (value, translate) => (typeof value === 'string' ? value.split(', ').map(translate).join(', ') : value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return translationOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const each = translationOf(schema.element);
    return each && ((value, translate) => (Array.isArray(value) ? value.map((one) => each(one, translate)) : value));
  }
  if (schema instanceof z.ZodRecord) {
    const each = translationOf(schema.valueType);
    return each && onMembers(() => each);
  }
  if (schema instanceof z.ZodObject) {
    const members = new Map(
      Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) => {
        const translation = translationOf(member);
        return translation === undefined ? [] : [[name, translation]];
      }),
    );
    return members.size === 0 ? undefined : onMembers((name) => members.get(name));
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.flatMap((option) => translationOf(option) ?? []);
    return options.length === 0
      ? undefined
      : (value, translate) => options.reduce((result, option) => option(result, translate), value);
  }
  return undefined;
}

const onMembers =
  (translationAt: (name: string) => Translation | undefined): Translation =>
  (value, translate) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, translationAt(name)?.(member, translate) ?? member]),
        )
      : value;
