const columns =
  'id, kind, number, series, financial_year, sequence, issued_at, issued_on, customer_id, cycle_id, payment_id, refers_to, ' +
  'taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, round_off_paise, total_paise, content, needs_irn';

/**
 * SQL that plants copies of documents, for the rules that refuse them: `change` is an expression of JSON with the columns
 * that differ, `where` says of which documents `d`. What the database computes by itself can't be written.
 */
export const copyDocuments = (change: string, where: string): string =>
  `insert into documents (${columns}) select ${columns}
   from (select (jsonb_populate_record(d, ${change})).* from documents d where ${where}) copy`;

/** A value as an expression of JSON. */
export const jsonIn = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
