import { z } from 'zod';
import { isActionName, operatorCalls } from '#shared/contract/operator/calls.ts';
import { askedRupeesSchema, daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { productColumn } from '#web/console/ui/cells.tsx';
import { labelOf, wordOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';

/** One field of a reply, for people. */
export interface ReplyFact {
  /** Where it stands in the reply. */
  path: string;
  /** Of several things in it: which one. */
  group: string | null;
  label: string;
  text: string;
  /** The moment of the call may be in it: each reply has another. */
  isMoment?: true;
  /** It is ₹0, no or none where only more than that says something. */
  isNothing?: true;
}

/** What an operator who is on the page of a customer knows, and what stands elsewhere in the dialog. */
const known = new Set(['customerId', 'customerName', 'customerEmail', 'effectiveBy', 'link']);

/** What is mostly not there. */
const mostlyNothing = new Set([
  'withheld',
  'offset',
  'tds',
  'lost',
  'packs',
  'waitsForDispute',
  'already',
  'refundIds',
]);

const isNothing = (value: unknown): boolean =>
  value === 0 || value === false || (Array.isArray(value) && value.length === 0);

/** What a list of facts shows: nothing is told only where it is a change. */
export const shownOf = <Fact extends ReplyFact & Partial<ComparedFact>>(facts: readonly Fact[]): Fact[] =>
  facts.filter((fact) => fact.isNothing !== true || (fact.before ?? null) !== null);

/** The fields of a reply, in the order of its contract; those that are null are left out. */
export function factsOf(schema: z.core.$ZodType, reply: unknown): ReplyFact[] {
  return factsAt(schema, reply, [], null);
}

function factsAt(schema: z.core.$ZodType, value: unknown, path: readonly string[], group: string | null): ReplyFact[] {
  const inner = unwrapped(schema);
  const name = path.at(-1) ?? '';
  const fact = (text: string): ReplyFact[] => [
    {
      path: path.join('.'),
      group,
      label: labelOf(name),
      text,
      ...(inner === instantSchema && { isMoment: true }),
      ...(mostlyNothing.has(name) && isNothing(value) && { isNothing: true }),
    },
  ];
  if (value === null || value === undefined || known.has(name)) return [];
  if (inner instanceof z.ZodObject) {
    const fields = fieldsOf(value);
    const within = path.length === 0 ? null : (group ?? labelOf(name));
    return Object.entries(inner.shape).flatMap(([key, child]) =>
      factsAt(schemaOf(child, key, fields), fields.get(key), [...path, key], within),
    );
  }
  if (inner instanceof z.ZodRecord)
    return [...fieldsOf(value)].flatMap(([key, each]) =>
      factsAt(inner.valueType, each, [...path, key], group ?? labelOf(name)),
    );
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const element = unwrapped(inner.element);
    if (value.length === 0) return fact('None');
    if (!(element instanceof z.ZodObject)) return fact(value.map((each) => textOf(element, each)).join(', '));
    return value.flatMap((each: unknown, index) => {
      const which = value.length === 1 ? labelOf(name) : `${labelOf(name)}, ${index + 1} of ${value.length}`;
      return factsAt(element, each, [...path, String(index)], which);
    });
  }
  return fact(name === 'call' && typeof value === 'string' ? labelOf(value) : textOf(inner, value));
}

/** An approval has the input and the reply of the call that it is of. */
function schemaOf(schema: z.core.$ZodType, key: string, fields: ReadonlyMap<string, unknown>): z.core.$ZodType {
  const name = String(fields.get('call'));
  if (!(unwrapped(schema) instanceof z.ZodRecord) || !isActionName(name)) return schema;
  return key === 'input' ? operatorCalls[name].input : operatorCalls[name].reply;
}

const fieldsOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' ? Object.entries(value ?? {}) : []);

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/** A value as the portal writes it: money, days, moments, numbers and words. */
function textOf(schema: z.core.$ZodType, value: unknown, currency?: string): string {
  if (schema === rupeesSchema || schema === askedRupeesSchema) return moneyText(Number(value), currency);
  if (schema === daySchema) return dayText(String(value));
  if (schema === instantSchema) return instantText(String(value));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  // A name may be in capitals, but has no underscore.
  return schema instanceof z.ZodEnum || /^[A-Z]+(_[A-Z]+)+$/.test(value) ? wordOf(value) : value;
}

/** What is read letter by letter. */
const isId = (key: string): boolean => /^(id|number|utr|irn|gstin)$|Id$/.test(key);

/** The columns of a list in a reply; those that are null in every row are left out. */
export function columnsOf(schema: z.core.$ZodType, rows: readonly unknown[]): Column<unknown>[] {
  const list = unwrapped(schema);
  const element = list instanceof z.ZodArray ? unwrapped(list.element) : list;
  if (!(element instanceof z.ZodObject)) return [];
  return Object.entries(element.shape)
    .filter(([key]) => rows.some((row) => (fieldsOf(row).get(key) ?? null) !== null))
    .map(([key, child]) => {
      const schemaOfCell = unwrapped(child);
      const valueIn = (row: unknown) => fieldsOf(row).get(key) ?? null;
      const shown = (row: unknown) => {
        const value = valueIn(row);
        const currency = fieldsOf(row).get('currency');
        if (key === 'status' && typeof value === 'string') return wordOf(value.toUpperCase());
        return value === null ? null : textOf(schemaOfCell, value, typeof currency === 'string' ? currency : undefined);
      };
      if (key === 'productId') return productColumn((row) => shown(row) ?? '');
      return {
        header: labelOf(key),
        // A spreadsheet calculates with numbers, and sorts days.
        text: (row: unknown) => {
          const value = valueIn(row);
          const isRaw = schemaOfCell === daySchema || schemaOfCell === instantSchema;
          return typeof value === 'number' || (isRaw && typeof value === 'string') ? value : shown(row);
        },
        cell: shown,
        ...(schemaOfCell instanceof z.ZodNumber && { align: 'right' as const }),
        ...(isId(key) && { isId: true }),
        // The amount has its sign.
        ...(key === 'currency' && { isInFileAlone: true }),
      };
    });
}

/** A field of what happened, with what the preview had there; null where it had the same, or could not know. */
export type ComparedFact = ReplyFact & { before: string | null };

export function compareFacts(previewed: readonly ReplyFact[], done: readonly ReplyFact[]): ComparedFact[] {
  const before = new Map(previewed.map(({ path, text }) => [path, text]));
  const compared = done.map((fact) => {
    const seen = before.get(fact.path);
    const isSame = seen === undefined || seen === fact.text || seen === 'None' || fact.isMoment === true;
    return { ...fact, before: isSame ? null : seen };
  });
  const left = new Set(done.map(({ path }) => path));
  const gone = previewed.filter((fact) => !left.has(fact.path) && fact.text !== 'None' && fact.isNothing !== true);
  return [...compared, ...gone.map((fact) => ({ ...fact, text: 'None', before: fact.text }))];
}

/** Whether two previews say the same. */
export function sameFacts(one: readonly ReplyFact[], other: readonly ReplyFact[]): boolean {
  const written = (facts: readonly ReplyFact[]) =>
    JSON.stringify(facts.filter(({ isMoment }) => isMoment !== true).map(({ path, text }) => [path, text]));
  return written(one) === written(other);
}
