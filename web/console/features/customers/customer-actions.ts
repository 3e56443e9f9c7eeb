import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { firstDays } from '#shared/domain/pay-later.ts';
import { actionsOfPlan } from '#web/console/features/cycles/plan-actions.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';

type Customer = OperatorReply<'readCustomer'>;
type Activation = Customer['activations'][number];

const textOf = (number: number | undefined) => (number === undefined ? '' : String(number));

/** What can be done for a customer as a whole, the most frequent first. */
export function actionsOfCustomer({
  id: customerId,
  gstin,
  blockedAt,
  erasedAt,
  activations,
  terms,
}: Customer): Action[] {
  if (erasedAt !== null) return [];
  const isBlocked = blockedAt !== null;
  return [
    actionOf({
      call: 'grantPlan',
      title: 'Grant a plan',
      verb: 'Grant',
      letter: 'g',
      fields: [
        {
          name: 'productId',
          label: 'Product',
          hint: 'Its id',
          initial: activations.find(({ deletedAt }) => deletedAt === null)?.productId ?? '',
        },
        { name: 'planId', label: 'Plan', hint: 'Its id, such as growth. A wrong one shows the ids of all plans.' },
        { name: 'days', label: 'Days', kind: 'number', initial: '30' },
        { name: 'from', label: 'First day', kind: 'day', isOptional: true, hint: 'Leave it empty for today' },
      ],
      input: (value) => ({
        customerId,
        productId: value('productId').trim(),
        planId: value('planId').trim(),
        days: Number(value('days')),
        ...(value('from') !== '' && { from: value('from') }),
      }),
    }),
    isBlocked
      ? actionOf({
          call: 'unblockCustomer',
          title: 'Unblock',
          verb: 'Unblock',
          letter: 'b',
          input: () => ({ customerId }),
        })
      : actionOf({
          call: 'blockCustomer',
          title: 'Block',
          verb: 'Block',
          letter: 'b',
          isDangerous: true,
          input: () => ({ customerId }),
        }),
    ...(gstin === null
      ? []
      : [
          actionOf({
            call: 'setCreditTerms',
            title: 'Let it pay later',
            verb: 'Set the terms',
            letter: 't',
            about: 'What was sold so stays as it was agreed. Limit 0 ends it.',
            fields: [
              {
                name: 'limit',
                label: 'Limit in rupees',
                kind: 'number',
                initial: textOf(terms?.limit),
                hint: 'As much may be due at once',
              },
              {
                name: 'days',
                label: 'Days',
                kind: 'number',
                initial: textOf(terms?.days ?? firstDays.days),
                hint: 'From the invoice to its payment',
              },
              {
                name: 'stopAfterDays',
                label: 'Stop after',
                kind: 'number',
                initial: textOf(terms?.stopAfterDays ?? firstDays.stopAfterDays),
                hint: 'So many days overdue, the plans that are not paid stop',
              },
            ],
            input: (value) => ({
              customerId,
              limit: Number(value('limit')),
              days: Number(value('days')),
              stopAfterDays: Number(value('stopAfterDays')),
            }),
          }),
        ]),
    actionOf({
      call: 'seeAsCustomer',
      title: 'See as the customer',
      verb: 'See',
      letter: 's',
      about: 'Their portal in another tab for 30 minutes, read-only.',
      input: () => ({ customerId }),
    }),
    actionOf({
      call: 'endSessions',
      title: 'End sessions',
      verb: 'End sessions',
      about: 'In every browser; the customer can sign in again.',
      input: () => ({ customerId }),
    }),
    actionOf({
      call: 'transferOwnership',
      title: 'Transfer the ownership',
      verb: 'Offer',
      about:
        'When nobody reaches the owner: after 7 days, unless the owner objects. With the owner’s own address: removes passkeys that the owner has lost.',
      fields: [{ name: 'email', label: 'Address of the new owner' }],
      input: (value) => ({ customerId, email: value('email').trim() }),
    }),
    actionOf({
      call: 'allowNewAccount',
      title: 'Release the founder',
      verb: 'Release',
      about: 'Whoever founded this account and passed it on may begin with another one, with its trials.',
      input: () => ({ customerId }),
    }),
    actionOf({
      call: 'changeDetails',
      title: 'Correct name and address',
      verb: 'Correct',
      about: 'Empty fields stay unchanged.',
      fields: [
        { name: 'legalName', label: 'Name for invoices', isOptional: true },
        { name: 'address', label: 'Address', isOptional: true },
        { name: 'city', label: 'City', isOptional: true },
        { name: 'pin', label: 'PIN code', isOptional: true },
      ],
      input: (value) => ({
        customerId,
        ...(value('legalName') !== '' && { legalName: value('legalName') }),
        ...(value('address') !== '' && { address: value('address') }),
        ...(value('city') !== '' && { city: value('city') }),
        ...(value('pin') !== '' && { pin: value('pin') }),
      }),
    }),
    actionOf({
      call: 'changeGstin',
      title: 'Correct the GSTIN',
      verb: 'Correct',
      fields: [
        {
          name: 'gstin',
          label: 'GSTIN',
          initial: gstin ?? '',
          isOptional: true,
          hint: 'Leave it empty to remove the GSTIN',
        },
      ],
      input: (value) => ({ customerId, gstin: value('gstin').trim().toUpperCase() || null }),
    }),
    actionOf({
      call: 'eraseCustomer',
      title: 'Erase',
      verb: 'Erase for good',
      isDangerous: true,
      about: 'Records that tax law requires are kept. Everything else is deleted for good.',
      fields: [
        { name: 'endPlans', label: 'End paid plans that run', kind: 'tick' },
        { name: 'withinYear', label: 'Also data that the law wants kept for a year', kind: 'tick' },
      ],
      input: (value) => ({
        customerId,
        endPlans: value('endPlans') === 'yes',
        withinYear: value('withinYear') === 'yes',
      }),
    }),
  ];
}

/** What can be done with an activation and the plan that runs. */
export function actionsOfActivation(
  { erasedAt }: Pick<Customer, 'erasedAt'>,
  { id: activationId, deletedAt, plan }: Activation,
): Action[] {
  if (erasedAt !== null) return [];
  const rate = actionOf({
    call: 'overrideCallsPerSecond',
    title: 'Set the calls per second',
    verb: 'Set rate',
    fields: [
      {
        name: 'rate',
        label: 'Calls per second',
        kind: 'number',
        isOptional: true,
        hint: 'Leave it empty to use the rate of the plan',
      },
    ],
    input: (value) => ({ activationId, callsPerSecond: value('rate') === '' ? null : Number(value('rate')) }),
  });
  const endLinks = actionOf({
    call: 'endPayLinks',
    title: 'End the pay links so far',
    verb: 'End links',
    isDangerous: true,
    input: () => ({ activationId }),
  });
  // A deleted one may have a bill, with its links.
  return deletedAt === null ? [rate, ...(plan === null ? [] : actionsOfPlan(plan)), endLinks] : [endLinks];
}

export const revokeKey = (key: string, name: string): Action =>
  actionOf({
    call: 'revokeKey',
    title: `Revoke the key ${name}`,
    verb: 'Revoke',
    isDangerous: true,
    input: () => ({ key }),
  });
