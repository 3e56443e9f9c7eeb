import { dataKinds, isPersonal, productTables, tableKinds } from './data-kinds.ts';

/** The record of processing as a page: every kind of personal data and every table, derived from the same list as the export. */
export function recordOfProcessing(): string {
  const personal = Object.entries(tableKinds).flatMap(([table, rule]) =>
    isPersonal(rule) ? [[table, rule.kind]] : [],
  );
  const ofProducts = Object.entries(productTables).map(([table, { kind }]) => [`products.${table}`, kind]);
  const tablesOf = (kind: string) =>
    [...personal, ...ofProducts].flatMap(([table, ofKind]) => (ofKind === kind ? [`\`${table}\``] : [])).join(' ');
  const others = Object.entries(tableKinds).flatMap(([table, rule]) =>
    isPersonal(rule) ? [] : [`| \`${table}\` | ${rule.none} |`],
  );
  return `# Privacy

The record of processing: what Octroi keeps about a customer, why and how long, for your notice under section 5 of the Digital Personal Data Protection
Act 2023. It is derived from \`server/features/privacy/data-kinds.ts\`, as the export is; a table without a rule there doesn't compile.

| kind | what | why | kept | tables |
| --- | --- | --- | --- | --- |
${Object.entries(dataKinds)
  .map(([name, { what, why, kept }]) => `| ${name} | ${what} | ${why} | ${kept} | ${tablesOf(name)} |`)
  .join('\n')}

Outside the database: journals of the gateways (ids of keys and activations, until the database has them), logs (ids, no bodies; rotated by you),
backups (everything, as long as you keep them), the mailbox of support.

## Who else gets data

| who | what | why |
| --- | --- | --- |
| Google | nothing from us; it tells us name, address and picture | sign-in |
| Razorpay | amount, order, name, e-mail address, phone | payments, refunds |
| a GSP, the invoice registration portal | documents to businesses, GSTINs | e-invoices, checks of buyers |
| your mail server | mails | to send them |
| the customer's accountant | papers of each month | only when the customer asked and the accountant confirmed |

## A customer's rights

- **Access** (section 11): the account page has a download of everything as a ZIP, machine-readable, with all documents; \`octroi customers export\` makes the same file.
- **Correction** (section 12): the customer changes business details; the provider corrects issued documents. Name and address come from Google at each sign-in.
- **Erasure** (section 12, 8(7)): not done by the product yet. What tax and company law require stays in any case (\`kept\` above).

## Tables without personal data

| table | why |
| --- | --- |
${others.join('\n')}
`;
}
