import { TextInput } from '@mantine/core';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import classes from '#web/console/features/catalog/import-page.module.css';
import { labelOf } from '#web/console/ui/labels.ts';

type Draft = OperatorReply<'draftProduct'>;
type Values = Readonly<Record<string, string>>;

const productFields = [
  { name: 'id', label: 'ID', hint: 'Small letters, digits and hyphens' },
  { name: 'name', label: 'Name', hint: 'As customers read it' },
  { name: 'gatewayPath', label: 'Path on the gateway', hint: 'Customers call it below this path' },
  { name: 'upstreamUrl', label: 'Address of the API', hint: 'Where the gateway forwards calls' },
] as const;
const planFields = ['name', 'price', 'dailyQuota', 'monthlyQuota', 'rps'] as const;
const fieldOf = (plan: string, field: string): string => `plan ${plan} ${field}`;

/** The fields of a draft as texts. */
export function fieldsOf(draft: Draft): Values {
  return Object.fromEntries([
    ...productFields.map(({ name }) => [name, draft[name]]),
    ...draft.plans.flatMap((plan) => planFields.map((field) => [fieldOf(plan.id, field), String(plan[field])])),
  ]);
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.replaceAll(',', '')));

/** What was entered, as the call takes it: what was not, the document decides. */
export function draftInput(entered: Values, draft: Draft | null): Omit<OperatorInput<'draftProduct'>, 'document'> {
  const texts = productFields.flatMap(({ name }) => {
    const text = entered[name]?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const plans = draft?.plans.map((plan) => {
    const text = (field: (typeof planFields)[number]): string =>
      entered[fieldOf(plan.id, field)] ?? String(plan[field]);
    return {
      id: plan.id,
      name: text('name').trim(),
      price: numberOf(text('price')),
      dailyQuota: numberOf(text('dailyQuota')),
      monthlyQuota: numberOf(text('monthlyQuota')),
      rps: numberOf(text('rps')),
    };
  });
  return { ...Object.fromEntries(texts), ...(plans === undefined ? {} : { plans }) };
}

/** What of a product is decided first. Before there is a draft: what its document may lack. */
export function DraftFields({
  draft,
  values,
  onChange,
}: {
  draft: Draft | null;
  values: Values;
  onChange: (name: string, value: string) => void;
}) {
  const input = (name: string, label: string, hint?: string) => (
    <TextInput
      key={name}
      label={label}
      description={hint}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
    />
  );
  return (
    <>
      <div className={classes.fields}>{productFields.map(({ name, label, hint }) => input(name, label, hint))}</div>
      {draft?.plans.map(({ id }) => (
        <fieldset key={id} className={classes.plan}>
          <legend>Plan {id}</legend>
          <div className={classes.fields}>
            {planFields.map((field) => input(fieldOf(id, field), field === 'price' ? 'Price (₹)' : labelOf(field)))}
          </div>
        </fieldset>
      ))}
    </>
  );
}
