import { badRequest } from '#ship/standins/razorpay/errors.ts';
import type { Notes } from '#ship/standins/razorpay/entities.ts';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body as an object with known fields only. */
export function readFields(body: unknown, known: readonly string[]): Fields {
  const fields = body ?? {};
  if (!isFields(fields)) throw badRequest('The request body must be a JSON object.');
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw badRequest(`${unknown.join(', ')} is/are not required and should not be sent`, unknown[0]);
  return fields;
}

/** Paise, at least one rupee. */
export function readAmount(value: unknown): number {
  if (value === undefined || value === null || value === '')
    throw badRequest('The amount field is required.', 'amount');
  const amount = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount))
    throw badRequest('The amount must be an integer.', 'amount');
  if (amount < 100) throw badRequest('The amount must be at least INR 1.00', 'amount');
  return amount;
}

export function readCurrency(value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw badRequest('The currency field is required.', 'currency');
  if (value !== 'INR') throw badRequest('Currency is not supported', 'currency');
  return value;
}

export function readReceipt(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badRequest('The receipt must be a string.', 'receipt');
  if (value.length > 40) throw badRequest('The receipt may not be greater than 40 characters.', 'receipt');
  return value;
}

/** At most 15 pairs of 256 characters each; an empty array when there are none. */
export function readNotes(value: unknown): Notes {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
  if (!isFields(value)) throw badRequest('notes must be an object of key-value pairs.', 'notes');
  const pairs = Object.entries(value);
  if (pairs.length === 0) return [];
  if (pairs.length > 15) throw badRequest('Number of fields in notes should be less than or equal to 15', 'notes');
  const notes: Exclude<Notes, []> = {};
  for (const [key, note] of pairs) {
    const isPlain = typeof note === 'string' || typeof note === 'number' || typeof note === 'boolean';
    if (!isPlain) throw badRequest(`The notes.${key} must be a string.`, 'notes');
    if (key.length > 256 || String(note).length > 256) {
      throw badRequest('notes keys and values may not be greater than 256 characters.', 'notes');
    }
    notes[key] = note;
  }
  return notes;
}

/** A whole number, also as text, between two bounds. */
export function readNumber(value: unknown, field: string, min: number, max: number): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < min || number > max)
    throw badRequest(`The ${field} must be between ${min} and ${max}.`, field);
  return number;
}
