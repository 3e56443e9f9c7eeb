import { type Action, actionOf } from '#web/console/ui/action.ts';

/** What can be done with a plan that runs or waits. */
export const actionsOfPlan = ({
  id: cycleId,
  name,
  granted,
}: {
  id: string;
  name: string;
  granted: boolean;
}): Action[] => [
  actionOf({
    call: 'setQuota',
    title: `Raise the quota of ${name}`,
    verb: 'Raise quota',
    fields: [
      {
        name: 'units',
        label: 'Units',
        kind: 'number',
        hint: 'Added to each of its days. A negative number takes back units added before.',
      },
    ],
    input: (value) => ({ cycleId, units: Number(value('units')) }),
  }),
  actionOf({
    call: 'extendCycle',
    title: `Give ${name} more days`,
    verb: 'Extend',
    fields: [{ name: 'days', label: 'Days', kind: 'number' }],
    input: (value) => ({ cycleId, days: Number(value('days')) }),
  }),
  ...(granted
    ? [
        actionOf({
          call: 'withdrawPlan',
          title: `Withdraw ${name}`,
          verb: 'Withdraw',
          isDangerous: true,
          input: () => ({ cycleId }),
        }),
      ]
    : []),
];
