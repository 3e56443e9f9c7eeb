import { type CustomTypesConfig, types } from 'pg';

/** PostgreSQL's type ids: `select oid, typname from pg_type`. */
const oid = {
  int8: 20,
  int8Array: 1016,
  date: 1082,
  dateArray: 1182,
  numeric: 1700,
  numericArray: 1231,
};

/** A whole number that JavaScript cannot represent exactly is an error, never a rounded value. */
function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`The database returned ${text}, which a number cannot represent exactly; cast it to text.`);
  }
  return value;
}

/** Arrays of numbers and dates, which are never quoted; one dimension. */
function arrayOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    const inside = text.slice(1, -1);
    return inside === '' ? [] : inside.split(',').map((item) => (item === 'NULL' ? null : parse(item)));
  };
}

/**
 * How values are parsed: bigint and numeric (PostgreSQL sums bigints to numeric) as numbers while they are exact; a
 * date as its text `yyyy-mm-dd`, because a calendar day has no time zone (product §4.10); timestamptz as Date.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, exactNumber],
  [oid.numeric, exactNumber],
  [oid.int8Array, arrayOf(exactNumber)],
  [oid.numericArray, arrayOf(exactNumber)],
  [oid.date, (text) => text],
  [oid.dateArray, arrayOf((text) => text)],
]);

export const valueParsers: CustomTypesConfig = {
  getTypeParser: (typeId, format) => {
    const own = format === 'binary' ? undefined : parsers.get(typeId);
    return own ?? types.getTypeParser(typeId, format);
  },
};
