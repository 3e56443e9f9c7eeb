import type { Erasure } from '#shared/database/fact-builders.ts';
import { factsOf, personalTables } from '#shared/database/table-facts.ts';
import { dataKinds } from './kinds.ts';
import { productTables } from './product-tables.ts';

/** The record of processing as a page: every kind of personal data and every table, derived from the same list as the export. */
export function recordOfProcessing(): string {
  const personal = personalTables.map(({ table, rule }) => [table, rule.kind]);
  const ofProducts = Object.entries(productTables).map(([table, { kind }]) => [`products.${table}`, kind]);
  const tablesOf = (kind: string) =>
    [...personal, ...ofProducts].flatMap(([table, ofKind]) => (ofKind === kind ? [`\`${table}\``] : [])).join(' ');
  const others = [...factsOf].flatMap(([table, { customer }]) =>
    typeof customer === 'string' ? [`| \`${table}\` | ${customer} |`] : [],
  );
  return `# Privacy

The record of processing: what Octroi keeps about a customer, why and how long, for your notice under section 5 of the Digital Personal Data Protection
Act 2023. It is derived from \`shared/database/table-facts.ts\`, as the export and the erasure are; a table without a rule there doesn't compile.

| kind | what | why | kept | when a customer is erased | tables |
| --- | --- | --- | --- | --- | --- |
${Object.entries(dataKinds)
  .map(
    ([name, { what, why, kept }]) =>
      `| ${name} | ${what} | ${why} | ${kept} | ${erasureOf(name)} | ${tablesOf(name)} |`,
  )
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
| your own programs | by webhooks ids, amounts and days of events, no name and no text of a person, kept as long as other events, also after an erasure; with a token what its calls read | only when an owner adds the webhook or makes the token |
| whoever pays by a pay link | name of the customer, plan, amount, purchase order; the papers of that payment | only who was given the link; papers once, to an address that the payer names, kept with that mail |
| the customer's accountant | papers of each month | only when the customer asked and the accountant confirmed |

## A customer's rights

- **Access** (section 11): the account page has a download of everything as a ZIP, machine-readable, with all documents; \`octroi customers export\` makes the same file, and the customer reads that it was made and why.
- **Correction** (section 12): the customer changes business details; the provider corrects issued documents. Name and address come from Google at each sign-in.
- **Erasure** (sections 12(3), 8(7)): the customer asks for it on the account page, and you carry it out with \`octroi customers erase\`
  ([how](operating/customers.md#erase-a-customer)). Papers and entries of money stay for 72 months from the due date of the annual return (CGST Act s. 36) and
  eight financial years (Companies Act s. 128(5)), with the buyer's details that the law wants on them. From 13 May 2027 on, data is kept for a year after it
  was last processed (DPDP Rules 2025, rule 8(3)); the command says so.
- **A member alone**: who leaves may take name and address along. Who was removed writes to your privacy contact from the address itself, and you do it with
  \`octroi customers forget-member\` ([how](operating/customers.md#members-of-a-customer)). Id, role and days of the membership stay, and what the member did
  under *Former member*, as the customer answers for its keys, orders and papers.

## Tables without personal data

| table | why |
| --- | --- |
${others.join('\n')}
`;
}

function erasureText(erasure: Erasure): string {
  if (erasure.does === 'delete') return 'deleted';
  if (erasure.does === 'blank') return 'made anonymous';
  return { LAW: 'kept, by law', NUMBERS: 'kept: ids and numbers', CHAIN: 'kept: entries of a chain' }[erasure.why];
}

function erasureOf(kind: string): string {
  const parts = new Map<string, string[]>();
  for (const { table, rule } of personalTables) {
    if (rule.kind !== kind) continue;
    const part = erasureText(rule.erasure);
    parts.set(part, [...(parts.get(part) ?? []), table]);
  }
  if (Object.values(productTables).some((rule) => rule.kind === kind)) parts.set('deleted', ['all']);
  const [only = ''] = parts.keys();
  if (parts.size === 1) return only;
  return [...parts].map(([part, tables]) => `${part}: ${tables.map((table) => `\`${table}\``).join(' ')}`).join('; ');
}
